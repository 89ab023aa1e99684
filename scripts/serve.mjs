/**
 * `npm start [-- arguments for wrangler dev]` starts a development server (spec/management#development). With
 * `--once`, it does not watch the sources.
 */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { DEFAULT_STATE_FOLDER, recordStartedOrigin } from '../operator/started-origin.ts'
import { buildIfStale } from './build.mjs'
import { ensureDevVars } from './dev-vars.mjs'
import { createFirstAdministratorLink } from './first-administrator.mjs'
import { waitForServer } from './first-answer.mjs'
import { migrateLocalDatabase } from './local-database.mjs'
import { startProgram, waitForExitCode } from './processes.mjs'
import { root } from './root.mjs'
import { bundleWorker, watchWorker } from './worker-bundle.mjs'
import { createNoiseFilter } from './wrangler-noise.mjs'

const DEFAULT_PORT = '8787'
const STATUS_PATH = '/api/status'
/**
 * The maximum time from wrangler's "Ready" to the first response, in milliseconds. The first request loads the whole
 * Worker.
 */
const FIRST_RESPONSE_TIMEOUT = 60_000

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
  const persistTo = path.resolve(root, String(options['persist-to'] ?? DEFAULT_STATE_FOLDER))

  ensureDevVars(root)
  const [built, migrated] = await Promise.all([buildIfStale(), migrateLocalDatabase(persistTo)])
  if (!built || !migrated) return 1
  const port = String(options.port ?? DEFAULT_PORT)
  const bundle = options.once ? bundleWorker : watchWorker
  const worker = await bundleServedWorker(bundle, path.join(root, 'build/served', port))
  if (!worker) return 1

  const wrangler = startProgram(
    'wrangler',
    [
      'dev',
      worker,
      '--show-interactive-dev-session=false',
      ...(options.port ? [] : ['--port', port]),
      ...(options['persist-to'] ? [] : ['--persist-to', persistTo]),
      // The Worker cannot derive the scheme of links in messages from a request.
      ...(options['local-protocol'] === 'https' ? ['--var', 'TLS_PROXY:true'] : []),
      ...args.filter((argument) => argument !== '--once'),
    ],
    { output: 'pipe', env: { WRANGLER_SEND_METRICS: 'false' } },
  )
  let ownRequests = 0
  let isAnnounced = false
  const invitation = createFirstAdministratorLink()
  show(wrangler.stdout, process.stdout, (line) => {
    const url = /Ready on (https?:\S+)/.exec(line)?.[1]?.replace('//0.0.0.0', '//localhost')
    if (url) {
      recordStartedOrigin(persistTo, url)
      void announce(url, { onRequest: () => ownRequests++, invite: invitation.text }).then(() => {
        isAnnounced = true
      })
      return false
    }
    if (invitation.isOwn(line)) return false
    if (line.includes(`GET ${STATUS_PATH} `) && ownRequests > 0) {
      ownRequests--
      return false
    }
    if (!isAnnounced && line.includes(`"http.route":"${STATUS_PATH}"`)) return false
    return isAnnounced || line !== ''
  })
  show(wrangler.stderr, process.stderr, () => true)
  return waitForExitCode(wrangler)
}

/**
 * Bundles the Worker for `wrangler dev` without minifying it, so that stack traces in the log name its functions.
 *
 * @param {typeof bundleWorker} bundle
 * @param {string} folder a folder of its own, because several servers may run
 * @returns {Promise<string | undefined>} the path of the main module
 */
async function bundleServedWorker(bundle, folder) {
  try {
    await bundle({ entry: 'src/worker.ts', folder, isMinified: false })
  } catch {
    console.error("\nWe couldn't bundle the Worker. The message above says why.")
    return undefined
  }
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'worker.js')
}

/**
 * Forwards wrangler's output line by line, leaving out the noise.
 *
 * @param {import('node:stream').Readable | null} from
 * @param {NodeJS.WriteStream} to
 * @param {(line: string) => boolean} isShown
 */
function show(from, to, isShown) {
  if (!from) return
  const isSignal = createNoiseFilter()
  createInterface({ input: from }).on('line', (line) => {
    if (isSignal(line) && isShown(stripVTControlCharacters(line))) to.write(`${line}\n`)
  })
}

/**
 * Prints the URLs as soon as the server responds, starting with the invitation link for the administrator.
 *
 * @param {string} url
 * @param {{ onRequest: () => void, invite: (origin: string) => Promise<string | null> }} how `onRequest` is called before each request, because wrangler logs it
 */
async function announce(url, { onRequest, invite }) {
  const problem = await waitForServer(`${url}${STATUS_PATH}`, { within: FIRST_RESPONSE_TIMEOUT, onRequest })
  if (problem) {
    console.error(`\nThe server is running at ${url}, but ${STATUS_PATH} ${problem}. Its log is above.\n`)
    return
  }
  const link = await invite(url)
  console.log(`
Vestibule is ready at ${url}
${link ? `\n${indented(link)}\n` : ''}
  Console            ${url}/console
  Demo application   ${url}/demo-app
  Dev inbox          ${url}/dev/inbox
  Management API     ${url}/api/docs
                     client id "management", secret: MANAGEMENT_CLIENT_SECRET in .dev.vars
                     token endpoint ${url}/oidc/token, resource urn:vestibule:management-api

Press Ctrl-C to stop it.
`)
}

/** @param {string} text */
const indented = (text) => text.replaceAll(/^/gm, '  ')
