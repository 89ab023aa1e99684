/** Finds a Chromium for the browser tests, or installs Debian's. */
import { existsSync } from 'node:fs'
import { runProgram } from './processes.mjs'

const MINUTE = 60_000
/** The engine without the windows of a browser: the tests need half of the CPU time with it. */
const DEBIAN_HEADLESS = '/usr/bin/chromium-headless-shell'
const DEBIAN_CHROMIUM = '/usr/bin/chromium'

/** @returns {Promise<{ path: string } | { problem: string }>} */
export async function findChromium() {
  const fromEnvironment = process.env.CHROMIUM_PATH
  if (fromEnvironment) {
    return existsSync(fromEnvironment)
      ? { path: fromEnvironment }
      : { problem: `CHROMIUM_PATH is ${fromEnvironment}, which does not exist.` }
  }
  if (!existsSync(DEBIAN_HEADLESS)) await installOnDebian()
  const playwright = await import('playwright')
  const candidates = [DEBIAN_HEADLESS, playwright.chromium.executablePath(), DEBIAN_CHROMIUM]
  const path = candidates.find((file) => existsSync(file))
  if (path) return { path }
  return {
    problem:
      'The browser tests need a Chromium. Set CHROMIUM_PATH to one, or run "npx playwright install chromium", or on Debian "apt-get install chromium-headless-shell fonts-liberation" as root.',
  }
}

/** As root; what is installed already stays as it is. */
async function installOnDebian() {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return
  console.log('Installing Chromium from Debian ...')
  /** @type {import('./processes.mjs').Options} */
  const options = { show: 'onFailure', timeLimit: 10 * MINUTE, env: { DEBIAN_FRONTEND: 'noninteractive' } }
  const packages = ['chromium-headless-shell', 'fonts-liberation'] // without a font, texts have no width
  const network = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20']
  const install = ['install', '-y', '--no-install-recommends', '--no-remove', ...packages]
  await runProgram('apt-get', [...network, 'update'], options)
  await runProgram('apt-get', [...network, ...install], options)
}

/** The flags of every start: no screen, and no requests but those of the pages. */
export const quietFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
