import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { localFetch } from './local-fetch.mjs'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'

/**
 * The link that makes the first administrator of a server in development (spec/management#administrator-invitations).
 * `isOwn` says of a line of the log that it is of a call that was made for it.
 */
export function firstAdministrator() {
  let wasAsked = false
  /** @type {RegExp[]} */
  const ownLines = []

  return {
    /**
     * Text for the terminal: the first time, and as long as there is no administrator.
     *
     * @param {string} origin of a server that answers
     */
    async text(origin) {
      if (wasAsked) return null
      wasAsked = true
      // The secret is that of .dev.vars: the environment may hold the one of a deployment.
      const environment = { env: {}, folder: root, fetch: fetchOwn }
      const { firstInvitation } = await import('../operator/main.ts')
      return firstInvitation(origin, environment).catch((error) => `No link: ${error.message}`)
    },

    /** @param {string} line */
    isOwn(line) {
      const index = ownLines.findIndex((pattern) => pattern.test(line))
      if (index >= 0) ownLines.splice(index, 1)
      return index >= 0
    },
  }

  /** wrangler logs a request, and the Worker does. @param {RequestInfo | URL} input @param {RequestInit} [init] */
  function fetchOwn(input, init) {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    const [, first, second] = pathname.split('/')
    ownLines.push(
      new RegExp(`\\b${request.method} ${pathname} `),
      new RegExp(`"http.request.method":"${request.method}","http.route":"/${first}/${second}\\b`),
    )
    return localFetch(request)
  }
}

/** A new address needs a moment for its name and its certificate. */
const TRIES = 6
const PAUSE = 5_000 // ms

/**
 * For the first link of a deployment: a secret of the client `management` that nobody needs to know, in a file for `wrangler deploy
 * --secrets-file`. Null where the operator has one, in the environment or in the Worker.
 *
 * @param {string[]} target options that name the Worker
 */
export async function newManagementSecret(target) {
  if (process.env.VESTIBULE_CLIENT_SECRET) return null
  const list = await runProgram('wrangler', ['secret', 'list', '--format', 'json', ...target], {
    show: 'never',
    env: { CI: '1', WRANGLER_SEND_METRICS: 'false' },
  })
  // A Worker that does not exist yet has none.
  if (list.code === 0 && list.stdout.includes('"MANAGEMENT_CLIENT_SECRET"')) return null
  const value = randomBytes(32).toString('base64url')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vestibule-deploy-'))
  const file = path.join(folder, 'secrets.json')
  writeFileSync(file, JSON.stringify({ MANAGEMENT_CLIENT_SECRET: value }), { mode: 0o600 })
  return { value, file, removeFile: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * The link after a deployment. Its secret is that of the operator, in the environment, or a new one; without, a first deployment says
 * what to do.
 *
 * @param {{ host: string | undefined, isFirst: boolean, secret: string | undefined }} where
 */
export async function showFirstAdministrator({ host, isFirst, secret }) {
  const origin = process.env.VESTIBULE_ORIGIN || (host && `https://${host}`)
  if (!origin) return
  const env = { ...process.env, ...(secret && { VESTIBULE_CLIENT_SECRET: secret }) }
  if (!env.VESTIBULE_CLIENT_SECRET) {
    if (isFirst) console.log(howToInvite(origin))
    return
  }
  const { firstInvitation } = await import('../operator/main.ts')
  for (let left = TRIES - 1; ; left--) {
    try {
      const link = await firstInvitation(origin, { env, folder: root, fetch })
      if (link) console.log(`\n${link}`)
      return
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      if (left === 0 || problem.includes('invalid_client')) {
        console.log(`\nNo link for the first administrator: ${problem}\n${howToInvite(origin)}`)
        return
      }
      await setTimeout(PAUSE)
    }
  }
}

/** @param {string} origin */
const howToInvite = (origin) => `
The first administrator, by a link that works once:
  npx wrangler secret put MANAGEMENT_CLIENT_SECRET   # at least 32 random characters
  VESTIBULE_ORIGIN=${origin} VESTIBULE_CLIENT_SECRET=… npm run admin -- invite`
