/**
 * Installs Azurite, Microsoft's emulator of Azure Blob Storage, for the exhaustive run of the tests. It is not a
 * dependency, because it and its packages have 240 MB and take a minute to install.
 */
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'

const MINUTE = 60_000
const VERSION = '3.37.0'
const folder = path.join(root, '.cache/azurite', VERSION)

/** The program that serves blobs. */
export const azuriteProgram = path.join(folder, 'node_modules/azurite/dist/src/blob/main.js')

/** @returns {Promise<boolean>} whether Azurite is installed */
export async function installAzurite() {
  if (existsSync(azuriteProgram)) return true
  console.log('Installing Azurite…')
  mkdirSync(folder, { recursive: true })
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--no-update-notifier']
  const { code } = await runProgram('npm', ['install', '--prefix', folder, ...quiet, `azurite@${VERSION}`], {
    show: 'onFailure',
    timeLimit: 10 * MINUTE,
  })
  return code === 0
}
