import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client/web'
import {
  Log,
  LogLevel,
  Miniflare,
  type Request as RuntimeRequest,
  Response as RuntimeResponse,
  fetch as runtimeFetch,
} from 'miniflare'
import { unstable_readConfig } from 'wrangler'
import { modulesOf, newSecret } from '../../../bench/local-server.ts'
import { buildIfStale, WORKER_FOLDER } from '../../../scripts/build.mjs'
import { root } from '../../../scripts/root.mjs'
import { unpackFixture } from './fixture.ts'

export const ORIGIN = 'https://id.example.com'

/** A Worker of either release. Both have the same origin, secrets, database and KV namespace. */
export type Release = {
  name: 'previous' | 'current'
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Runs the scheduled maintenance. */
  runScheduled(): Promise<void>
}

export type TwoReleases = {
  previous: Release
  current: Release
  managementSecret: string
  /** The requests that either release has sent to other servers. All of them got an empty response. */
  sent: readonly { url: string; headers: Headers; body: string }[]
  /** The error lines that either release has logged. */
  errors: readonly string[]
  /** Applies the migrations that only the current release has, as a deployment does before it uploads the code. */
  upgradeDatabase(): Promise<void>
  /** Returns the single value of the first row that a query selects. */
  valueOf(query: string): Promise<unknown>
  close(): Promise<void>
}

/**
 * Starts the previous release and the current code on one database, which has the schema of the previous release. The
 * Workers run in production mode, and requests reach them as over https.
 *
 * @param libsqlUrl the URL of an empty libSQL server to use instead of D1
 */
export async function openTwoReleases(libsqlUrl?: string): Promise<TwoReleases> {
  if (!(await buildIfStale())) throw new Error('The build failed')
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-releases-'))
  const previousFolder = unpackFixture(folder)
  const managementSecret = newSecret()
  const errors: string[] = []
  const sent: { url: string; headers: Headers; body: string }[] = []
  const env = {
    ENVIRONMENT: { type: 'text' as const, value: 'production' },
    HOSTS: { type: 'text' as const, value: new URL(ORIGIN).host },
    ROOT_SECRET: { type: 'text' as const, value: newSecret() },
    MANAGEMENT_CLIENT_SECRET: { type: 'text' as const, value: managementSecret },
    BREACHED_PASSWORDS_URL: { type: 'text' as const, value: 'off' },
    INTERACTIONS: { type: 'kv' as const, id: 'INTERACTIONS' },
    ASSETS: { type: 'assets' as const },
    DB: { type: 'd1' as const, id: 'DB' },
    ...(libsqlUrl && { LIBSQL_URL: { type: 'text' as const, value: libsqlUrl } }),
  }
  const workerOf = (name: Release['name'], clone: string, bundle: string) => {
    const config = unstable_readConfig({ config: path.join(clone, 'wrangler.toml') })
    return {
      config: {
        name,
        compatibilityDate: config.compatibility_date ?? '',
        compatibilityFlags: config.compatibility_flags,
        manifest: { mainModule: 'worker.js', modulesRoot: bundle, modules: modulesOf(bundle) },
        env,
        assets: { directory: path.join(root, 'build/client'), hasUserWorker: true },
      },
      dev: {
        outboundService: {
          type: 'fetcher' as const,
          handler: async (request: RuntimeRequest) => {
            if (libsqlUrl && request.url.startsWith(libsqlUrl)) return runtimeFetch(request)
            const headers = new Headers([...request.headers])
            sent.push({ url: request.url, headers, body: await request.text() })
            return new RuntimeResponse()
          },
        },
      },
    }
  }
  const runtime = new Miniflare({
    log: new Log(LogLevel.ERROR),
    port: 0,
    handleStructuredLogs: ({ level, message }: { level: string; message: string }) => {
      if (level !== 'error') return
      errors.push(message)
      console.error(message)
    },
    workers: [
      workerOf('previous', previousFolder, path.join(previousFolder, 'build/worker')),
      workerOf('current', root, path.resolve(root, WORKER_FOLDER)),
    ],
  })
  await runtime.ready

  const libsql = libsqlUrl ? createClient({ url: libsqlUrl }) : null
  const database = libsql ? null : await runtime.getD1Database('DB', 'current')
  const run = async (statements: string[]) => {
    if (libsql) await libsql.batch(statements, 'write')
    else await database?.batch(statements.map((statement) => database.prepare(statement)))
  }
  const namesIn = (clone: string) =>
    readdirSync(path.join(clone, 'migrations'))
      .filter((name) => name.endsWith('.sql'))
      .sort()
  const migrate = async (clone: string, names: string[]) => {
    for (const name of names)
      await run(readFileSync(path.join(clone, 'migrations', name), 'utf8').split('--> statement-breakpoint'))
  }
  const before = namesIn(previousFolder)
  await migrate(previousFolder, before)

  const releaseOf = async (name: Release['name']): Promise<Release> => {
    const worker = await runtime.getWorker(name)
    return {
      name,
      async fetch(target, { method = 'GET', headers, body } = {}) {
        const sent = { 'cf-connecting-ip': '192.0.2.1', ...Object.fromEntries(new Headers(headers)) }
        const url = new URL(target, ORIGIN).href
        const answer = await worker.fetch(url, {
          method,
          redirect: 'manual',
          headers: body instanceof URLSearchParams ? { ...sent, 'content-type': FORM } : sent,
          ...(body ? { body: String(body) } : {}),
        })
        return new Response([204, 304].includes(answer.status) ? null : await answer.arrayBuffer(), {
          status: answer.status,
          headers: [...answer.headers],
        })
      },
      async runScheduled() {
        const { outcome } = await worker.scheduled({ cron: '* * * * *' })
        if (outcome !== 'ok')
          throw new Error(`The scheduled run of the ${name} release ended with "${outcome}".`)
      },
    }
  }
  return {
    previous: await releaseOf('previous'),
    current: await releaseOf('current'),
    managementSecret,
    sent,
    errors,
    upgradeDatabase: () =>
      migrate(
        root,
        namesIn(root).filter((name) => !before.includes(name)),
      ),
    async valueOf(query) {
      const row = libsql ? (await libsql.execute(query)).rows[0] : await database?.prepare(query).first()
      return Object.values(row ?? {})[0]
    },
    async close() {
      libsql?.close()
      await runtime.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const FORM = 'application/x-www-form-urlencoded'
