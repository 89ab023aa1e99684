import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Plugin } from 'esbuild'
import { Log, LogLevel, Miniflare } from 'miniflare'
import type { TestProject } from 'vitest/node'
import { makeBundle, migrate, newSecret, rateLimits, workerConfig } from '../../bench/local-server.ts'
import { certificate } from '../kit/certificate.ts'
import { freePort } from '../kit/free-port.ts'
import './test-hosts.ts'

/**
 * The name of the only tenant whose console has a separate host. The tenant's id is this name with the suffix
 * `-id`.
 */
export const OWN_CONSOLE = 'own-console'

/** The tenant whose host is `localhost`. Samples sign in there (samples/sample-tenant.ts). */
export const SAMPLES_TENANT = 'samples'

/** The parent domain of the tenants' hosts. */
const LOCAL_DOMAIN = 'vestibule.test'

/** The header that identifies responses of the hostile Worker. */
const MARK = 'x-hostile-platform'

/**
 * Computes Argon2 hashes like the tests in the Workers runtime, with little memory: a full hash takes 80 ms
 * of processor time, and a test needs several. The started server of tests/operator computes full hashes.
 */
const smallHashes: Plugin = {
  name: 'small-hashes',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\/argon2\.ts$/ }, () => ({
      path: path.resolve('tests/kit/repeated-hashes.ts'),
    }))
    bundler.onResolve({ filter: /^vitest$/ }, () => ({ namespace: 'no-tests', path: 'vitest' }))
    bundler.onLoad({ filter: /./, namespace: 'no-tests' }, () => ({
      contents: 'export const afterAll = () => {}',
    }))
  },
}

/**
 * Starts the server of the browser tests: the Worker on a platform with faults that no user may notice
 * (docs/operations/faults.md). As in production, the server is reached over https and at its own hosts, so
 * cookies have their prefixes and browsers remember to use https. It runs in the runtime of `wrangler dev`,
 * but without its proxy, which would take an eighth of the tests' processor time. The tests in
 * `tests/operator/started` and `tests/operations` run `npm start` itself.
 */
export default async function startHostileServer(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-journeys-'))
  const managementSecret = newSecret()
  const bundle = path.join(folder, 'bundle')
  await makeBundle('tests/faults/hostile-worker.ts', bundle, { isMinified: false, plugins: [smallHashes] })
  const config = workerConfig(bundle, { managementSecret })
  const port = await freePort()
  const base = `${LOCAL_DOMAIN}:${port}`
  const text = (value: string) => ({ type: 'text' as const, value })
  const variables = {
    LOCAL_DOMAIN: text(LOCAL_DOMAIN),
    HOSTS: text(`${OWN_CONSOLE}.${base}=${OWN_CONSOLE}-id/console localhost:${port}=${SAMPLES_TENANT}`),
  }

  const runtime = new Miniflare({
    log: new Log(LogLevel.ERROR),
    logRequests: false,
    host: '127.0.0.1',
    port,
    https: true,
    httpsKey: certificate.key,
    httpsCert: certificate.cert,
    resourcePersistencePath: path.join(folder, 'v3'),
    // Discard the log: the Worker logs every request, and most tests cause errors on purpose.
    handleStructuredLogs: () => {},
    workers: [{ config: { ...config, env: { ...config.env, ...rateLimits(), ...variables } } }],
  })
  const stop = async () => {
    await runtime.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await runtime.ready
    const origin = `https://default.${base}`
    await migrate(runtime)
    const { headers } = await fetch(`${origin}/api/status`)
    if (!headers.has(MARK)) throw new Error('The Worker under test was not started')
    project.provide('origin', origin)
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('data', folder)
  project.provide('managementSecret', managementSecret)
  return stop
}
