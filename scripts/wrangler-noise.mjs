import { stripVTControlCharacters } from 'node:util'

/**
 * What `wrangler dev` says at every start and nobody needs to read. A block begins with a line that matches `begins` and
 * takes the lines after it as long as they match `goesOn`.
 */
const NOISE = [
  { begins: /⛅️ wrangler/, goesOn: /^─*$/ },
  { begins: /^Using secrets defined in/, goesOn: /^$/ },
  { begins: /^Your Worker has access to the following bindings/, goesOn: /^(Binding\s|env\.|$)/ },
  { begins: /Unable to fetch the `Request\.cf` object/, goesOn: /^(\s+at |(\w+)?Error: |\s*\[cause\])/ },
  { begins: /Scheduled Workers are not automatically triggered/, goesOn: /^(\s|$)/ },
  { begins: /Starting local server/, goesOn: /^$/ },
]

/** @returns {(line: string) => boolean} whether to show the line; one filter for one stream */
export function noiseFilter() {
  /** @type {RegExp | undefined} */
  let goesOn
  return (line) => {
    const plain = stripVTControlCharacters(line)
    const begun = NOISE.find(({ begins }) => begins.test(plain))
    if (!begun && goesOn?.test(plain)) return false
    goesOn = begun?.goesOn
    return !begun
  }
}
