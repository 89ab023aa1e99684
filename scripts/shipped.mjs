/** What of package-lock.json reaches a browser or the Worker: what `npm run sbom` lists and `npm run audit` judges. */
import { readFileSync } from 'node:fs'
import { root } from './root.mjs'

/** A tool of the build by its kind, but two of its files are served at /api/docs (vite.config.ts). */
const SERVED_TOOLS = ['swagger-ui-dist']

/**
 * @typedef {{ name: string, version: string, license?: string, integrity?: string, resolved?: string, deprecated?: string,
 *   dev?: boolean, optional?: boolean, devOptional?: boolean }} Locked
 */

/** Every package of the lock, and whether it ships. */
export function lockedPackages() {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))
  return Object.entries(packages).flatMap(([place, entry]) => {
    if (place === '') return []
    const name = entry.name ?? place.replace(/^.*node_modules\//, '')
    return [{ ...entry, name, ships: SERVED_TOOLS.includes(name) || !isAside(entry) }]
  })
}

/** @param {Locked} entry */
const isAside = ({ dev, optional, devOptional }) => Boolean(dev || optional || devOptional)
