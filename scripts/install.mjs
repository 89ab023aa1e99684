/** Installs the packages when they are missing or package-lock.json has changed since. Uses Node alone. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fingerprintOf } from './fingerprint.mjs'
import { runProgram } from './processes.mjs'

const MINUTE = 60_000

/**
 * @param {string} root
 * @returns {Promise<string | undefined>} the problem, if there is one
 */
export async function installPackages(root) {
  const stale = lockDisagreement(root)
  if (stale) return stale
  if (isInstalled(root)) return undefined

  console.log('Installing packages ...')
  rmSync(stampFile(root), { force: true })
  const { code } = await runProgram('npm', NPM_INSTALL, { timeLimit: 15 * MINUTE, cwd: root })
  if (code !== 0)
    return `\nThe packages could not be installed: npm ended with exit code ${code}; its message is above.`
  if (!existsSync(path.join(root, 'node_modules/node/bin/node'))) {
    return '\nThe pinned Node (package "node") is not installed. Is npm configured with --ignore-scripts?'
  }
  rememberInstalled(root)
  return undefined
}

/**
 * `npm install --no-save` installs exactly what the lock file says and never changes it. `npm ci` would refuse a lock file that
 * was written against a registry that serves the optional packages of one platform only. `--include=dev`, because
 * NODE_ENV=production would leave wrangler out; `--loglevel=error`, because under Node 20 each package that the pinned Node
 * will run prints an EBADENGINE warning.
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
 * The check of `npm ci`: a dependency changed in package.json, but not in the lock file.
 *
 * @param {string} root
 */
export function lockDisagreement(root) {
  const declared = dependencies(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const locked = dependencies(lock.packages?.[''])
  const changed = Object.keys({ ...declared, ...locked }).find((name) => declared[name] !== locked[name])
  return changed && `package.json and package-lock.json disagree about "${changed}". Run: npm install`
}

/**
 * All kinds together, because npm may write an optional dependency into the lock file twice.
 *
 * @param {Record<string, Record<string, string> | undefined>} [declared]
 */
function dependencies(declared) {
  return { ...declared?.dependencies, ...declared?.devDependencies, ...declared?.optionalDependencies }
}

/** Inside node_modules, so that it is deleted with them. @param {string} root */
const stampFile = (root) => path.join(root, 'node_modules/.installed-lock')

/** @param {string} root */
const lockFingerprint = (root) => fingerprintOf(root, ['package-lock.json'])
