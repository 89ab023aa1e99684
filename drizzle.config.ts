import { defineConfig } from 'drizzle-kit'

/**
 * `drizzle-kit generate` writes migrations from the table definitions. D1 applies them with `wrangler d1 migrations
 * apply`, a libSQL server with `drizzle-kit migrate` and LIBSQL_URL set.
 */
const files = { schema: './src/storage/tables.ts', out: './migrations' }
const url = process.env.LIBSQL_URL

export default url
  ? defineConfig({
      ...files,
      dialect: 'turso',
      dbCredentials: { url, authToken: process.env.LIBSQL_AUTH_TOKEN },
    })
  : defineConfig({ ...files, dialect: 'sqlite' })
