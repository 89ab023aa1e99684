/** Finds a Chromium for the browser tests, or installs the one that Debian packages. */
import { existsSync } from 'node:fs'
import { runProgram } from './processes.mjs'

const MINUTE = 60_000
/** The headless build of Chromium. It halves the CPU time of the tests. */
const DEBIAN_HEADLESS = '/usr/bin/chromium-headless-shell'
const DEBIAN_CHROMIUM = '/usr/bin/chromium'

/** @returns {Promise<{ path: string } | { problem: string }>} */
export async function findChromium() {
  const fromEnvironment = process.env.CHROMIUM_PATH
  if (fromEnvironment) {
    return existsSync(fromEnvironment)
      ? { path: fromEnvironment }
      : { problem: `CHROMIUM_PATH is ${fromEnvironment}, but that file doesn't exist.` }
  }
  if (!existsSync(DEBIAN_HEADLESS)) await installOnDebian()
  const playwright = await import('playwright')
  const candidates = [DEBIAN_HEADLESS, playwright.chromium.executablePath(), DEBIAN_CHROMIUM]
  const path = candidates.find((file) => existsSync(file))
  if (path) return { path }
  return {
    problem:
      'The browser tests need Chromium. Set CHROMIUM_PATH, run "npx playwright install chromium", or on Debian run "apt-get install chromium-headless-shell fonts-liberation" as root.',
  }
}

/** Installs the packages if this process runs as root. Packages that are already installed are not changed. */
async function installOnDebian() {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return
  console.log('Installing Chromium from Debian…')
  /** @type {import('./processes.mjs').Options} */
  const options = { show: 'onFailure', timeLimit: 10 * MINUTE, env: { DEBIAN_FRONTEND: 'noninteractive' } }
  const packages = ['chromium-headless-shell', 'fonts-liberation'] // without a font, text would have no width
  const network = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20']
  const install = ['install', '-y', '--no-install-recommends', '--no-remove', ...packages]
  await runProgram('apt-get', [...network, 'update'], options)
  await runProgram('apt-get', [...network, ...install], options)
}

/** The flags for every launch. They turn off the GPU and all requests that the pages do not make themselves. */
export const quietFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
