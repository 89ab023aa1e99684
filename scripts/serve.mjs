/** `npm start [-- arguments for wrangler dev]` (decision 44). */
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { build } from './build.mjs'
import { ensureDevVars } from './dev-vars.mjs'
import { migrateLocalDatabase } from './local-database.mjs'
import { ended, start } from './processes.mjs'
import { root } from './root.mjs'
import { noiseFilter } from './wrangler-noise.mjs'

const DEFAULT_PORT = '8787'
const HEALTH = '/api/status'
/** From wrangler's "Ready" to the first answer: the first request loads the whole Worker. */
const FIRST_ANSWER = 60_000

/** @param {string[]} args */
export async function serve(args) {
  const given = parseArgs({
    args,
    strict: false,
    options: { port: { type: 'string' }, 'persist-to': { type: 'string' } },
  }).values
  const persistTo = path.resolve(root, String(given['persist-to'] ?? '.wrangler/state'))

  ensureDevVars(root)
  const [built, migrated] = await Promise.all([build(), migrateLocalDatabase(persistTo)])
  if (!built || !migrated) return 1

  const wrangler = start(
    'wrangler',
    [
      'dev',
      '--show-interactive-dev-session=false',
      ...(given.port ? [] : ['--port', DEFAULT_PORT]),
      ...(given['persist-to'] ? [] : ['--persist-to', persistTo]),
      ...args,
    ],
    { output: 'pipe', env: { WRANGLER_SEND_METRICS: 'false' } },
  )
  let ownQuestions = 0
  let announced = false
  show(wrangler.stdout, process.stdout, (line) => {
    const address = /Ready on (https?:\S+)/.exec(line)?.[1]
    if (address) {
      void announce(address.replace('//0.0.0.0', '//localhost'), () => ownQuestions++).then(() => {
        announced = true
      })
      return false
    }
    if (line.includes(`GET ${HEALTH} `) && ownQuestions > 0) {
      ownQuestions--
      return false
    }
    return announced || line !== ''
  })
  show(wrangler.stderr, process.stderr, () => true)
  return ended(wrangler)
}

/**
 * Passes on what wrangler says, line by line, without the noise.
 *
 * @param {import('node:stream').Readable | null} from
 * @param {NodeJS.WriteStream} to
 * @param {(line: string) => boolean} wanted
 */
function show(from, to, wanted) {
  if (!from) return
  const isSignal = noiseFilter()
  createInterface({ input: from }).on('line', (line) => {
    if (isSignal(line) && wanted(stripVTControlCharacters(line))) to.write(`${line}\n`)
  })
}

/**
 * Says where to look, as soon as there is something to see.
 *
 * @param {string} address
 * @param {() => void} asking called before each question, because wrangler logs it
 */
async function announce(address, asking) {
  const problem = await firstAnswer(`${address}${HEALTH}`, asking)
  if (problem) {
    console.error(`\nThe server runs at ${address}, but ${HEALTH} ${problem}. Its log is above.\n`)
    return
  }
  console.log(`
Vestibule is ready at ${address}

  Demo application   ${address}/demo-app
  Dev inbox          ${address}/dev/inbox
  Management API     client id "management", secret: MANAGEMENT_CLIENT_SECRET in .dev.vars
                     token endpoint ${address}/oidc/token, resource urn:vestibule:management-api

Ctrl-C stops it.
`)
}

/**
 * @param {string} url
 * @param {() => void} asking
 * @returns {Promise<string | undefined>} what is wrong, if it does not answer 204 in time
 */
async function firstAnswer(url, asking) {
  const deadline = Date.now() + FIRST_ANSWER
  let problem = 'does not answer'
  while (Date.now() < deadline) {
    asking()
    try {
      const { status } = await fetch(url, { signal: AbortSignal.timeout(FIRST_ANSWER) })
      if (status === 204) return undefined
      problem = `answers ${status}`
    } catch {
      problem = 'does not answer'
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return problem
}
