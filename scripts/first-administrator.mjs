import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { localFetch } from '../operator/local-fetch.ts'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'

/**
 * Creates the invitation link for the first administrator of a development server
 * (spec/management#administrator-invitations). `isOwn` checks whether a log line belongs to one of the requests made
 * here.
 */
export function createFirstAdministratorLink() {
  let wasRequested = false
  /** @type {RegExp[]} */
  const ownLines = []

  return {
    /**
     * Returns the text to print. Returns null after the first call, and if there is an administrator already.
     *
     * @param {string} origin the origin of a server that is ready
     */
    async text(origin) {
      if (wasRequested) return null
      wasRequested = true
      // Read the secret from .dev.vars, because the environment may contain the secret of a deployment.
      const environment = { env: {}, folder: root, fetch: fetchOwn }
      const { createFirstInvitation } = await import('../operator/main.ts')
      return createFirstInvitation(origin, environment).catch((error) => `No link: ${error.message}`)
    },

    /** @param {string} line */
    isOwn(line) {
      const index = ownLines.findIndex((pattern) => pattern.test(line))
      if (index >= 0) ownLines.splice(index, 1)
      return index >= 0
    },
  }

  /** Sends a request and records the two log lines that it causes. @param {RequestInfo | URL} input @param {RequestInit} [init] */
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

/** It takes a moment until a new host has its DNS record and certificate. */
const MAX_ATTEMPTS = 6
const RETRY_DELAY = 5_000 // ms

/**
 * Generates a secret for the client `management`, with which the first deployment creates the link. Nobody needs to
 * know it. It is written to a file for `wrangler deploy --secrets-file`. Returns null if the operator already has a
 * secret, in the environment or in the Worker.
 *
 * @param {string[]} target the options that select the Worker
 */
export async function createManagementSecret(target) {
  if (process.env.VESTIBULE_CLIENT_SECRET) return null
  const list = await runProgram('wrangler', ['secret', 'list', '--format', 'json', ...target], {
    show: 'never',
    env: { CI: '1', WRANGLER_SEND_METRICS: 'false' },
  })
  // A Worker that does not exist yet has no secrets, and wrangler fails to list them.
  if (list.code === 0 && list.stdout.includes('"MANAGEMENT_CLIENT_SECRET"')) return null
  const value = randomBytes(32).toString('base64url')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vestibule-deploy-'))
  const file = path.join(folder, 'secrets.json')
  writeFileSync(file, JSON.stringify({ MANAGEMENT_CLIENT_SECRET: value }), { mode: 0o600 })
  return { value, file, removeFile: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * Prints the link after a deployment. It uses the operator's secret from the environment, or a new one. If there is
 * neither, the first deployment prints instructions instead.
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
  const { createFirstInvitation } = await import('../operator/main.ts')
  for (let retriesLeft = MAX_ATTEMPTS - 1; ; retriesLeft--) {
    try {
      const link = await createFirstInvitation(origin, { env, folder: root, fetch })
      if (link) console.log(`\n${link}`)
      return
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      if (retriesLeft === 0 || problem.includes('invalid_client')) {
        console.log(
          `\nWe couldn't create a link for the first administrator: ${problem}\n${howToInvite(origin)}`,
        )
        return
      }
      await setTimeout(RETRY_DELAY)
    }
  }
}

/** @param {string} origin */
const howToInvite = (origin) => `
Create a link that makes you the first administrator. It works once:
  npx wrangler secret put MANAGEMENT_CLIENT_SECRET   # at least 32 random characters
  VESTIBULE_ORIGIN=${origin} VESTIBULE_CLIENT_SECRET=… npm run admin -- invite`
