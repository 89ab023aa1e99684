import { builtinModules } from 'node:module'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { certificateFile } from './tests/kit/certificate.ts'
import { sweepOfProcess } from './tests/kit/sweep.ts'

// This is read when Miniflare is loaded. It makes the Worker trust the certificate of the servers that the tests start.
process.env.NODE_EXTRA_CA_CERTS = certificateFile
const { cloudflareTest, readD1Migrations } = await import('@cloudflare/vitest-plugin')

const rolldownOptions = {
  platform: 'node' as const,
  external: [/^node:/, ...builtinModules],
  resolve: { mainFields: ['browser', 'module', 'main'], conditionNames: ['workerd', 'worker', 'browser'] },
}

/** The projects are described in docs/development/testing.md: which proof belongs to which, and why. */
export default defineConfig({
  test: {
    // There are two cores: one Worker, or one Node process, for each.
    maxWorkers: 2,
    // The Worker logs every request, and most tests make requests fail on purpose.
    silent: 'passed-only',
    projects: [
      {
        plugins: [
          cloudflareTest(async ({ inject }) => ({
            // Tests run the sources instead of the deployed bundle.
            main: './src/worker.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // The bucket is not in wrangler.toml, because a deployment has one only if its operator adds it.
              r2Buckets: ['ASSET_BUCKET'],
              // These databases have no tables. They are for tests that bring their own schema.
              d1Databases: ['TEST_OLDEST_DB', 'TEST_PREVIOUS_DB'],
              bindings: {
                ENVIRONMENT: 'development',
                ROOT_SECRET: 'a root secret for tests, long enough to be one',
                MANAGEMENT_CLIENT_SECRET: 'a management secret for tests, long enough',
                TEST_MIGRATIONS: await readD1Migrations('migrations'),
                // The name is not LIBSQL_URL, because the Worker itself uses D1. Storage tests open both databases.
                TEST_LIBSQL_URL: inject('libsqlUrl'),
                TEST_PROVIDER_STUBS: { ...inject('stubs') },
                BREACHED_PASSWORDS_URL: `${inject('stubs').ranges}/tests/ok/`,
                TEST_RECEIVER_URL: inject('receiverUrl'),
                TEST_UPSTREAM: { ...inject('upstream') },
                TEST_SWEEP: sweepOfProcess(),
              },
            },
          })),
        ],
        resolve: {
          alias: [{ find: /^\.\/argon2\.ts$/, replacement: path.resolve('tests/kit/repeated-hashes.ts') }],
        },
        // Tests use React's production build, as deployed: the development build takes twice as long to render.
        oxc: { jsx: { runtime: 'automatic', development: false } },
        test: {
          name: 'workers',
          env: { NODE_ENV: 'production' },
          // One Worker runs all files. Loading it for every file took three times as long as the tests.
          isolate: false,
          // Dependencies are bundled as by wrangler: unbundled, a dependency of the provider falls back to code
          // generation.
          deps: {
            optimizer: {
              ssr: {
                enabled: true,
                include: ['oidc-provider', 'oidc-provider/lib/helpers/grants.js'],
                rolldownOptions,
              },
            },
          },
          include: [
            'tests/{storage,outbound,application,api,oidc,web,security,faults}/**/*.test.{ts,tsx}',
            'tests/operations/app/*.test.ts',
          ],
          // These tests read the files of the repository.
          exclude: ['tests/security/repository/**'],
          globalSetup: [
            'tests/kit/libsql-server.ts',
            'tests/outbound/stub-servers.ts',
            'tests/outbound/uploads/object-stores.ts',
            'tests/kit/receiver-server.ts',
            'tests/journeys/social/upstream-server.ts',
          ],
          setupFiles: [
            'tests/kit/migrated-database.ts',
            'tests/kit/plain-timers.ts',
            'tests/kit/repeated-keys.ts',
            'tests/kit/kept-log.ts',
          ],
          // Two imported PBKDF2 hashes take a second on an idle machine, and several on a busy one.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          expect: { poll: { interval: 10, timeout: 10_000 } },
        },
      },
      {
        // As in `workers`, pages are rendered with React's production build.
        oxc: { jsx: { runtime: 'automatic', development: false } },
        test: {
          name: 'node',
          environment: 'node',
          env: { NODE_ENV: 'production' },
          // One process runs all files. Loading the modules for every file took as long as most of the tests.
          isolate: false,
          setupFiles: ['tests/kit/restored-globals.ts'],
          include: [
            'tests/*.test.ts',
            'tests/{contract,domain,client,console,scripts,bench}/**/*.test.{ts,tsx}',
            'tests/operator/*.test.ts',
            'tests/operations/*.test.ts',
            'tests/security/repository/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'operator',
          environment: 'node',
          isolate: false,
          setupFiles: ['tests/kit/restored-globals.ts'],
          include: ['tests/operator/started/*.test.ts'],
          globalSetup: ['tests/journeys/started-server.ts'],
          testTimeout: 60_000,
          // All of them describe the same tenant of the same server.
          fileParallelism: false,
          // This project runs after `node`, because projects with different numbers of processes may not run at once.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
