/** `npm start [-- arguments for wrangler dev]` (spec/management#development). With `--once` it watches no source. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { buildIfStale } from './build.mjs'
import { ensureDevVars } from './dev-vars.mjs'
import { firstAdministrator } from './first-administrator.mjs'
import { firstAnswer } from './first-answer.mjs'
import { migrateLocalDatabase } from './local-database.mjs'
import { exitCodeOf, startProgram } from './processes.mjs'
import { root } from './root.mjs'
import { bundleWorker, watchWorker } from './worker-bundle.mjs'
import { noiseFilter } from './wrangler-noise.mjs'

const DEFAULT_PORT = '8787'
const HEALTH = '/api/status'
/** Milliseconds from wrangler's "Ready" to the first answer: the first request loads the whole Worker. */
const FIRST_ANSWER = 60_000

/** @param {string[]} args */
export async function startCommand(args) {
  const { values: options } = parseArgs({
    args,
    strict: false,
    options: {
      port: { type: 'string' },
      'persist-to': { type: 'string' },
      'local-protocol': { type: 'string' },
      once: { type: 'boolean' },
    },
  })
  const persistTo = path.resolve(root, String(options['persist-to'] ?? '.wrangler/state'))

  ensureDevVars(root)
  const [built, migrated] = await Promise.all([buildIfStale(), migrateLocalDatabase(persistTo)])
  if (!built || !migrated) return 1
  const port = String(options.port ?? DEFAULT_PORT)
  const bundle = options.once ? bundleWorker : watchWorker
  const worker = await servedWorker(bundle, path.join(root, 'build/served', port))
  if (!worker) return 1

  const wrangler = startProgram(
    'wrangler',
    [
      'dev',
      worker,
      '--show-interactive-dev-session=false',
      ...(options.port ? [] : ['--port', port]),
      ...(options['persist-to'] ? [] : ['--persist-to', persistTo]),
      // Links in messages have no request that tells the scheme.
      ...(options['local-protocol'] === 'https' ? ['--var', 'TLS_PROXY:true'] : []),
      ...args.filter((argument) => argument !== '--once'),
    ],
    { output: 'pipe', env: { WRANGLER_SEND_METRICS: 'false' } },
  )
  let ownRequests = 0
  let announced = false
  const invitation = firstAdministrator()
  show(wrangler.stdout, process.stdout, (line) => {
    const address = /Ready on (https?:\S+)/.exec(line)?.[1]?.replace('//0.0.0.0', '//localhost')
    if (address) {
      void announce(address, { asking: () => ownRequests++, invite: invitation.text }).then(() => {
        announced = true
      })
      return false
    }
    if (invitation.isOwn(line)) return false
    if (line.includes(`GET ${HEALTH} `) && ownRequests > 0) {
      ownRequests--
      return false
    }
    if (!announced && line.includes(`"http.route":"${HEALTH}"`)) return false
    return announced || line !== ''
  })
  show(wrangler.stderr, process.stderr, () => true)
  return exitCodeOf(wrangler)
}

/**
 * The Worker for `wrangler dev`, not minified: a failure in the log names its functions.
 *
 * @param {typeof bundleWorker} bundle
 * @param {string} folder its own, because several servers may run
 * @returns {Promise<string | undefined>} its main module
 */
async function servedWorker(bundle, folder) {
  try {
    await bundle({ entry: 'src/worker.ts', folder, isMinified: false })
  } catch {
    console.error('\nThe Worker could not be bundled.') // esbuild has said why
    return undefined
  }
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'worker.js')
}

/**
 * Passes on the output of wrangler, line by line, without the noise.
 *
 * @param {import('node:stream').Readable | null} from
 * @param {NodeJS.WriteStream} to
 * @param {(line: string) => boolean} isShown
 */
function show(from, to, isShown) {
  if (!from) return
  const isSignal = noiseFilter()
  createInterface({ input: from }).on('line', (line) => {
    if (isSignal(line) && isShown(stripVTControlCharacters(line))) to.write(`${line}\n`)
  })
}

/**
 * Prints the addresses as soon as the server answers, first the link that makes the administrator.
 *
 * @param {string} address
 * @param {{ asking: () => void, invite: (origin: string) => Promise<string | null> }} how `asking` is called before each request, because wrangler logs it
 */
async function announce(address, { asking, invite }) {
  const problem = await firstAnswer(`${address}${HEALTH}`, { within: FIRST_ANSWER, asking })
  if (problem) {
    console.error(`\nThe server runs at ${address}, but ${HEALTH} ${problem}. Its log is above.\n`)
    return
  }
  const link = await invite(address)
  console.log(`
Vestibule is ready at ${address}
${link ? `\n${indented(link)}\n` : ''}
  Console            ${address}/console
  Demo application   ${address}/demo-app
  Dev inbox          ${address}/dev/inbox
  Management API     ${address}/api/docs
                     client id "management", secret: MANAGEMENT_CLIENT_SECRET in .dev.vars
                     token endpoint ${address}/oidc/token, resource urn:vestibule:management-api

Ctrl-C stops it.
`)
}

/** @param {string} text */
const indented = (text) => text.replaceAll(/^/gm, '  ')
