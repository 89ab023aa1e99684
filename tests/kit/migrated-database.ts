import { env } from 'cloudflare:workers'

/**
 * Every test file starts with the database of a fresh deployment. Not with `applyD1Migrations`: importing
 * `cloudflare:test` loads the whole Worker into every test file, and it takes a call per statement.
 */
await env.DB.batch(
  env.TEST_MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))),
)
