/**
 * Installs the packages if they are missing or package-lock.json has changed since the last installation. This file
 * uses only Node's own modules.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { computeFingerprint } from './fingerprint.mjs'
import { runProgram } from './processes.mjs'

const MINUTE = 60_000

/**
 * @param {string} root
 * @returns {Promise<string | undefined>} the problem, if there is one
 */
export async function installPackages(root) {
  const mismatch = findLockMismatch(root)
  if (mismatch) return mismatch
  if (isInstalled(root)) return undefined

  console.log('Installing packages…')
  rmSync(stampFile(root), { force: true })
  const { code } = await runProgram('npm', NPM_INSTALL, { timeLimit: 15 * MINUTE, cwd: root })
  if (code !== 0)
    return `\nWe couldn't install the packages: npm exited with code ${code}. Its message is above.`
  if (!existsSync(path.join(root, 'node_modules/node/bin/node'))) {
    return `\nThe pinned Node (package "node") isn't installed. Check whether npm is configured with --ignore-scripts.`
  }
  markInstalled(root)
  return undefined
}

/**
 * `npm install --no-save` installs exactly the versions in the lock file and never changes it. `npm ci` would reject a
 * lock file that was created with a registry that only serves the optional packages of one platform. `--include=dev`
 * is needed because NODE_ENV=production would omit wrangler. `--loglevel=error` is needed because under Node 20, every
 * package that will run on the pinned Node prints an EBADENGINE warning.
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
export function markInstalled(root) {
  writeFileSync(stampFile(root), lockFingerprint(root))
}

/** @param {string} root */
export function isInstalled(root) {
  return existsSync(stampFile(root)) && readFileSync(stampFile(root), 'utf8').trim() === lockFingerprint(root)
}

/**
 * Finds a dependency that was changed in package.json but not in the lock file. `npm ci` makes the same check.
 *
 * @param {string} root
 */
export function findLockMismatch(root) {
  const declared = dependencies(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const locked = dependencies(lock.packages?.[''])
  const mismatched = Object.keys({ ...declared, ...locked }).find((name) => declared[name] !== locked[name])
  return mismatched && `package.json and package-lock.json disagree about "${mismatched}". Run: npm install`
}

/**
 * Merge all kinds of dependencies, because npm may list an optional dependency twice in the lock file.
 *
 * @param {Record<string, Record<string, string> | undefined>} [declared]
 */
function dependencies(declared) {
  return { ...declared?.dependencies, ...declared?.devDependencies, ...declared?.optionalDependencies }
}

/** The stamp is inside node_modules, so that it is deleted with them. @param {string} root */
const stampFile = (root) => path.join(root, 'node_modules/.installed-lock')

/** @param {string} root */
const lockFingerprint = (root) => computeFingerprint(root, ['package-lock.json'])
