import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Plugin } from 'esbuild'
import { Log, LogLevel, Miniflare, type Request as MiniflareRequest, Response } from 'miniflare'
import { unstable_readConfig } from 'wrangler'
import { buildIfStale } from '../scripts/build.mjs'
import { root } from '../scripts/root.mjs'
import { bundleWorker } from '../scripts/worker-bundle.mjs'

/** What the bench measures: the production build in workerd, with its own database, KV namespace and assets. */
export type LocalServer = {
  /** The server as browsers reach it: assets first. */
  origin: string
  /** The same Worker with nothing in front of it, beside `/bench/empty` and `/bench/counts`. */
  bare: string
  managementSecret: string
  /** Messages sent to addresses, the newest last. No other outbound call is answered. */
  messages: readonly { to: string; code: string }[]
  /** Of workerd. */
  pid: number
  /** The inspector of the Worker's isolate; null unless it is enabled, because it costs speed. */
  inspector: URL | null
  /** For files; gone after `close`. */
  folder: string
  close(): Promise<void>
}

/** `flags` in place of those in wrangler.toml. */
export async function openLocalServer({
  isInspected = false,
  hasChunks = true,
  flags = runtimeSettings().compatibilityFlags,
} = {}): Promise<LocalServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-bench-'))
  const bundle = path.join(folder, 'bundle')
  await makeBundle('bench/worker.ts', bundle, { hasChunks })

  const managementSecret = newSecret()
  const messages: { to: string; code: string }[] = []
  const outbound = async (request: MiniflareRequest) => {
    messages.push((await request.json()) as { to: string; code: string })
    return new Response()
  }
  const workerd = new Miniflare({
    log: new Log(LogLevel.ERROR),
    port: 0,
    // A line for every request would be most of the output.
    handleStructuredLogs: ({ level, message }) => {
      if (level === 'error') console.error(message)
    },
    ...(isInspected ? { inspectorPort: 0 } : {}),
    workers: [
      {
        config: workerConfig(bundle, { managementSecret, flags }),
        dev: {
          unsafeDirectSockets: [{ entrypoint: 'Bare' }],
          outboundService: { type: 'fetcher', handler: outbound },
        },
      },
    ],
  })
  const origin = (await workerd.ready).origin
  await migrate(workerd)
  return {
    origin,
    bare: (await workerd.unsafeGetDirectURL('vestibule', 'Bare')).origin,
    managementSecret,
    messages,
    pid: newestWorkerdPid(),
    inspector: isInspected ? await workerd.getInspectorURL() : null,
    folder,
    async close() {
      await workerd.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** As the Worker that is deployed is bundled. */
export async function makeBundle(
  entry: string,
  folder: string,
  options: { hasChunks?: boolean; isMinified?: boolean; plugins?: Plugin[] } = {},
): Promise<void> {
  if (!(await buildIfStale())) throw new Error('The build failed')
  await bundleWorker({ entry, folder, ...options })
}

/** The modules of a bundle as Miniflare wants them. */
export function modulesOf(folder: string) {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => /\.(?:js|wasm)$/.test(name))
      .map((name) => {
        const file = path.join(folder, name)
        return name.endsWith('.wasm')
          ? ([name, { type: 'wasm', contents: readFileSync(file) }] as const)
          : ([name, { type: 'esm', contents: readFileSync(file, 'utf8') }] as const)
      }),
  )
}

/** A bundled Worker with secrets and stores of its own. */
export function workerConfig(
  bundle: string,
  {
    managementSecret,
    flags = runtimeSettings().compatibilityFlags,
  }: { managementSecret: string; flags?: string[] },
) {
  return {
    ...runtimeSettings(),
    compatibilityFlags: flags,
    manifest: { mainModule: 'worker.js', modulesRoot: bundle, modules: modulesOf(bundle) },
    env: {
      // Production refuses plain http and addresses that HOSTS does not name; the port is chosen at the start.
      ENVIRONMENT: { type: 'text' as const, value: 'development' },
      ROOT_SECRET: { type: 'text' as const, value: newSecret() },
      MANAGEMENT_CLIENT_SECRET: { type: 'text' as const, value: managementSecret },
      INTERACTIONS: { type: 'kv' as const, id: 'INTERACTIONS' },
      DB: { type: 'd1' as const, id: 'DB' },
      ASSETS: { type: 'assets' as const },
    },
    assets: { directory: path.join(root, 'build/client'), hasUserWorker: true },
  }
}

/** The runtime settings in wrangler.toml. */
export function runtimeSettings(): { name: string; compatibilityDate: string; compatibilityFlags: string[] } {
  const config = unstable_readConfig({ config: path.join(root, 'wrangler.toml') })
  return {
    name: 'vestibule',
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
  }
}

type RateLimit = { name: string; namespace_id: string; simple: { limit: number; period: 10 | 60 } }

/** The bindings of the rate limits in wrangler.toml. */
export function rateLimits() {
  const { ratelimits }: { ratelimits: RateLimit[] } = unstable_readConfig({
    config: path.join(root, 'wrangler.toml'),
  })
  return Object.fromEntries(
    ratelimits.map(({ name, namespace_id: namespace, simple }) => [
      name,
      { type: 'rate-limit' as const, namespace, simple },
    ]),
  )
}

export const newSecret = () => randomBytes(32).toString('base64url')

/** Statement by statement, as drizzle-kit separates them. */
export async function migrate(workerd: Miniflare): Promise<void> {
  const database = await workerd.getD1Database('DB', 'vestibule')
  const folder = path.join(root, 'migrations')
  for (const name of readdirSync(folder)
    .filter((each) => each.endsWith('.sql'))
    .sort()) {
    const statements = readFileSync(path.join(folder, name), 'utf8').split('--> statement-breakpoint')
    await database.batch(statements.map((statement) => database.prepare(statement)))
  }
}

/** Of the workerd that was started last; Miniflare does not expose its process id. */
export function newestWorkerdPid(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
  const isWorkerd = (pid: string) => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('workerd')
  return Number(children.findLast(isWorkerd))
}
