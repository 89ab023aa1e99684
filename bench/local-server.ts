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

/** The server under test: the production build in workerd, with its own database, KV namespace and assets. */
export type LocalServer = {
  /** The origin that browsers use, which serves assets before it calls the Worker. */
  origin: string
  /**
   * The origin that reaches the same Worker directly, including its routes `/bench/empty` and `/bench/counts`.
   */
  bare: string
  managementSecret: string
  /** The messages that have been sent, newest last. Any other outbound request gets no response. */
  messages: readonly { to: string; code: string }[]
  /** The process id of workerd. */
  pid: number
  /** The inspector of the Worker's isolate, or null if it is disabled. It slows the Worker down. */
  inspector: URL | null
  /** A temporary folder, which `close` deletes. */
  folder: string
  close(): Promise<void>
}

/** Starts the server. `flags` replace the compatibility flags in wrangler.toml. */
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
    // Logging every request would flood the output.
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

/** Bundles an entry point in the same way as the deployed Worker. */
export async function makeBundle(
  entry: string,
  folder: string,
  options: { hasChunks?: boolean; isMinified?: boolean; plugins?: Plugin[] } = {},
): Promise<void> {
  if (!(await buildIfStale())) throw new Error('The build failed')
  await bundleWorker({ entry, folder, ...options })
}

/** Returns the modules of a bundle in Miniflare's format. */
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

/** Returns the configuration of a bundled Worker with its own secrets and stores. */
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
      // In production, the Worker rejects plain http and any host that HOSTS does not list, and the port is only known
      // once the server has started.
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

/** Returns the runtime settings of wrangler.toml. */
export function runtimeSettings(): { name: string; compatibilityDate: string; compatibilityFlags: string[] } {
  const config = unstable_readConfig({ config: path.join(root, 'wrangler.toml') })
  return {
    name: 'vestibule',
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
  }
}

type RateLimit = { name: string; namespace_id: string; simple: { limit: number; period: 10 | 60 } }

/** Returns the rate limit bindings of wrangler.toml. */
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

/** Applies the migrations statement by statement, split at the separators of drizzle-kit. */
export async function migrate(workerd: Miniflare): Promise<void> {
  const database = await workerd.getD1Database('DB', 'vestibule')
  for (const migration of readMigrations()) {
    const statements = migration.split('--> statement-breakpoint')
    await database.batch(statements.map((statement) => database.prepare(statement)))
  }
}

/** Returns the SQL of the migrations, in their order. */
export function readMigrations(): string[] {
  const folder = path.join(root, 'migrations')
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => readFileSync(path.join(folder, name), 'utf8'))
}

/** Returns the process id of the workerd that was started last, which Miniflare does not expose. */
export function newestWorkerdPid(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
  const isWorkerd = (pid: string) => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('workerd')
  return Number(children.findLast(isWorkerd))
}
