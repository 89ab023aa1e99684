/**
 * The configuration of a deployment. `wrangler.toml` is part of the repository and the same for everyone. What differs
 * from it in one deployment, such as its hosts or a bucket, is in an overlay that Git ignores. A deployment merges both
 * into a file below `build/`, which all wrangler commands then read (ADR-0186).
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { experimental_readRawConfig } from 'wrangler'
import { root } from './root.mjs'

/** The overlay that a deployment uses unless `--overlay` names another one, in the folder of `wrangler.toml`. */
const OVERLAY = 'wrangler.local.toml'

/** @typedef {{ [key: string]: unknown }} Table */

/**
 * Returns the files of a deployment. `merged` is written below the folder of `base`, separately for each overlay.
 *
 * @param {{ config: string | undefined, overlay: string | undefined }} options as on the command line
 */
export function findConfigFiles({ config, overlay }) {
  const base = config ? path.resolve(config) : path.join(root, 'wrangler.toml')
  const folder = path.dirname(base)
  const overlayFile = overlay ? path.resolve(overlay) : path.join(folder, OVERLAY)
  const merged = path.join(folder, 'build/deployment', `${path.parse(overlayFile).name}.json`)
  return { base, overlay: overlayFile, merged }
}

/**
 * Merges the overlay into the configuration and writes the result for wrangler. Returns the keys of `wrangler.toml`
 * itself that belong in the overlay.
 *
 * @param {ReturnType<typeof findConfigFiles>} files
 * @param {Table} [additions] what the deployment has read from Cloudflare, which is merged last
 */
export function writeMergedConfig(files, additions = {}) {
  const base = readTable(files.base)
  const overlay = existsSync(files.overlay) ? readTable(files.overlay) : {}
  const config = withAbsolutePaths(
    mergeTables(mergeTables(base, overlay), additions),
    path.dirname(files.base),
  )
  mkdirSync(path.dirname(files.merged), { recursive: true })
  writeFileSync(files.merged, JSON.stringify(config, null, 2))
  const variables = isTable(base.vars) ? base.vars : {}
  const misplaced = [
    ...(variables.HOSTS ? ['HOSTS'] : []),
    ...['routes', 'workers_dev', 'r2_buckets'].filter((key) => base[key] !== undefined),
  ]
  return { misplaced }
}

/** @param {string} file @returns {Table} */
function readTable(file) {
  try {
    return /** @type {Table} */ (experimental_readRawConfig({ config: file }).rawConfig)
  } catch (cause) {
    throw new Error(`${file} is not valid TOML: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/**
 * Merges two tables. Tables within them are merged as well, and so are entries of two lists with the same `binding` or
 * `name`. Everything else is replaced.
 *
 * @param {Table} base @param {Table} overlay @returns {Table}
 */
export function mergeTables(base, overlay) {
  const merged = { ...base }
  for (const [key, value] of Object.entries(overlay)) {
    const before = merged[key]
    if (isTable(before) && isTable(value)) merged[key] = mergeTables(before, value)
    else if (isNamedList(before) && isNamedList(value)) merged[key] = mergeLists(before, value)
    else merged[key] = value
  }
  return merged
}

/** @param {Table[]} base @param {Table[]} overlay */
function mergeLists(base, overlay) {
  const changed = base.map((entry) => {
    const change = overlay.find((each) => nameOf(each) === nameOf(entry))
    return change ? mergeTables(entry, change) : entry
  })
  const names = base.map(nameOf)
  return [...changed, ...overlay.filter((entry) => !names.includes(nameOf(entry)))]
}

/** @param {Table} entry */
const nameOf = (entry) => entry.binding ?? entry.name

/** @param {unknown} value @returns {value is Table} */
const isTable = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param {unknown} value @returns {value is Table[]} */
const isNamedList = (value) =>
  Array.isArray(value) && value.every((entry) => isTable(entry) && nameOf(entry) !== undefined)

/**
 * Makes the paths absolute, because wrangler resolves them against the folder of its configuration.
 *
 * @param {Table} config @param {string} folder @returns {Table}
 */
function withAbsolutePaths(config, folder) {
  /** @param {Table} table @param {string} key @returns {Table} */
  const resolved = (table, key) =>
    typeof table[key] === 'string' ? { ...table, [key]: path.resolve(folder, table[key]) } : table
  const { assets, d1_databases: databases, env } = config
  return {
    ...resolved(resolved(config, 'main'), 'base_dir'),
    ...(isTable(assets) && { assets: resolved(assets, 'directory') }),
    ...(isNamedList(databases) && {
      d1_databases: databases.map((database) => resolved(database, 'migrations_dir')),
    }),
    ...(isTable(env) && {
      env: Object.fromEntries(
        Object.entries(env).map(([name, table]) => [
          name,
          isTable(table) ? withAbsolutePaths(table, folder) : table,
        ]),
      ),
    }),
  }
}
