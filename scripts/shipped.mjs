/**
 * Lists the packages in package-lock.json that reach a browser or the Worker. `npm run sbom` documents them, and `npm
 * run audit` checks them.
 */
import { readFileSync } from 'node:fs'
import { root } from './root.mjs'

/** Development dependencies whose files are served at /api/docs (vite.config.ts). */
const SERVED_DEV_DEPENDENCIES = ['swagger-ui-dist']

/**
 * @typedef {{ name: string, version: string, license?: string, integrity?: string, resolved?: string, deprecated?: string,
 *   dev?: boolean, optional?: boolean, devOptional?: boolean }} Locked
 */

/** Returns all packages in the lock file, and whether each of them ships. */
export function readLockedPackages() {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))
  return Object.entries(packages).flatMap(([place, entry]) => {
    if (place === '') return []
    const name = entry.name ?? place.replace(/^.*node_modules\//, '')
    return [{ ...entry, name, ships: SERVED_DEV_DEPENDENCIES.includes(name) || !isDevelopmentOnly(entry) }]
  })
}

/** @param {Locked} entry */
const isDevelopmentOnly = ({ dev, optional, devOptional }) => Boolean(dev || optional || devOptional)
