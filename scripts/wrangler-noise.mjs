import { stripVTControlCharacters } from 'node:util'

/**
 * Useless output that `wrangler dev` prints at every start. A block consists of a line that matches `starts` and the
 * following lines that match `continues`.
 */
const NOISE = [
  { starts: /⛅️ wrangler/, continues: /^─*$/ },
  { starts: /^Using secrets defined in/, continues: /^$/ },
  { starts: /^Your Worker has access to the following bindings/, continues: /^(Binding\s|env\.|$)/ },
  { starts: /^Attaching additional modules:/, continues: /^(Name\s|Total\s|\S+\.(js|wasm)\s|[┌├│└]|$)/ },
  { starts: /Unable to fetch the `Request\.cf` object/, continues: /^(\s+at |(\w+)?Error: |\s*\[cause\])/ },
  { starts: /Scheduled Workers are not automatically triggered/, continues: /^(\s|$)/ },
  { starts: /Starting local server/, continues: /^$/ },
]

/** @returns {(line: string) => boolean} checks whether to show a line; each stream needs its own filter */
export function createNoiseFilter() {
  /** @type {RegExp | undefined} */
  let continues
  return (line) => {
    const plain = stripVTControlCharacters(line)
    const block = NOISE.find(({ starts }) => starts.test(plain))
    if (!block && continues?.test(plain)) return false
    continues = block?.continues
    return !block
  }
}
