/** The bindings of tests: those of the Worker and those that `vitest.config.ts` adds. */
declare module 'cloudflare:workers' {
  export const env: import('../../src/bindings.ts').Bindings & {
    TEST_MIGRATIONS: { name: string; queries: string[] }[]
    TEST_OLDEST_DB: import('@cloudflare/workers-types').D1Database
    TEST_PREVIOUS_DB: import('@cloudflare/workers-types').D1Database
    TEST_LIBSQL_URL: string
    TEST_PROVIDER_STUBS: import('../outbound/stub-servers.ts').StubServers
    TEST_RECEIVER_URL: string
    TEST_UPSTREAM: { openid: string; oauth: string }
    TEST_SWEEP: import('./sweep.ts').Sweep
  }
}

/**
 * The types that tests of the whole Worker use of `@cloudflare/vitest-plugin`, whose own types require ambient Workers
 * globals.
 */
declare module 'cloudflare:test' {
  type Context = import('@cloudflare/workers-types').ExecutionContext
  export function createExecutionContext(): Context
  export function waitOnExecutionContext(context: Context): Promise<void>
}
