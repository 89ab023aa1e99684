import { defineConfig } from 'drizzle-kit'

/**
 * `drizzle-kit generate` writes migrations from the tables. D1 takes them through `wrangler d1 migrations apply`,
 * a libSQL server through `drizzle-kit migrate` with LIBSQL_URL set.
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
