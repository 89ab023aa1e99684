/** Installs the packages when they are missing or package-lock.json has changed since. Uses Node alone. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fingerprint } from './fingerprint.mjs'
import { run } from './processes.mjs'

const MINUTE = 60_000

/**
 * @param {string} root
 * @returns {Promise<string | undefined>} what went wrong, if anything did
 */
export async function install(root) {
  const stale = disagreement(root)
  if (stale) return stale
  if (isInstalled(root)) return undefined

  console.log('Installing packages ...')
  rmSync(stampFile(root), { force: true })
  const { code } = await run('npm', NPM_INSTALL, { timeLimit: 15 * MINUTE, cwd: root })
  if (code !== 0)
    return `\nThe packages could not be installed: npm ended with code ${code}, its message is above.`
  if (!existsSync(path.join(root, 'node_modules/node/bin/node'))) {
    return '\nThe pinned Node (package "node") did not install itself. Does npm run its install script (--ignore-scripts)?'
  }
  rememberInstalled(root)
  return undefined
}

/**
 * `npm install --no-save` installs exactly what the lock says and never writes to it. `npm ci` would do, but it refuses a
 * lock that was written where the optional packages of other platforms could not be seen. `--include=dev` because
 * NODE_ENV=production would leave wrangler out; `--loglevel=error` because under Node 20 each package that the pinned
 * Node will run prints an EBADENGINE warning.
 */
const NPM_INSTALL = [
  'install',
  '--no-save',
  '--include=dev',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  '--no-update-notifier',
]

/** @param {string} root */
export function rememberInstalled(root) {
  writeFileSync(stampFile(root), lockFingerprint(root))
}

/** @param {string} root */
export function isInstalled(root) {
  return existsSync(stampFile(root)) && readFileSync(stampFile(root), 'utf8').trim() === lockFingerprint(root)
}

/**
 * What `npm ci` would have said: a dependency changed in package.json, but not in the lock.
 *
 * @param {string} root
 */
export function disagreement(root) {
  const wanted = dependencies(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const locked = dependencies(lock.packages?.[''])
  const changed = Object.keys({ ...wanted, ...locked }).find((name) => wanted[name] !== locked[name])
  return changed && `package.json and package-lock.json disagree about "${changed}". Run: npm install`
}

/**
 * All of them together: npm may write an optional one into the lock under two headings.
 *
 * @param {Record<string, Record<string, string> | undefined>} [declared]
 */
function dependencies(declared) {
  return { ...declared?.dependencies, ...declared?.devDependencies, ...declared?.optionalDependencies }
}

/** Inside node_modules, so that it goes when they go. @param {string} root */
const stampFile = (root) => path.join(root, 'node_modules/.installed-lock')

/** @param {string} root */
const lockFingerprint = (root) => fingerprint(root, ['package-lock.json'])
