/** Finds a Chromium for the browser tests, or installs Debian's. */
import { existsSync } from 'node:fs'
import { runProgram } from './processes.mjs'

const MINUTE = 60_000
const DEBIAN_CHROMIUM = '/usr/bin/chromium'

/** @returns {Promise<{ path: string } | { problem: string }>} */
export async function chromium() {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    return existsSync(given)
      ? { path: given }
      : { problem: `CHROMIUM_PATH is ${given}, which does not exist.` }
  }
  const playwright = await import('playwright')
  const found = [playwright.chromium.executablePath(), DEBIAN_CHROMIUM].find((file) => existsSync(file))
  if (found) return { path: found }

  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.log('Installing Chromium from Debian ...')
    /** @type {import('./processes.mjs').Options} */
    const options = { show: 'onFailure', timeLimit: 10 * MINUTE, env: { DEBIAN_FRONTEND: 'noninteractive' } }
    const packages = ['chromium', 'fonts-liberation'] // without a font, pages have no text and texts no width
    await runProgram('apt-get', ['update'], options)
    await runProgram('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options)
    if (existsSync(DEBIAN_CHROMIUM)) return { path: DEBIAN_CHROMIUM }
  }
  return {
    problem:
      'The browser tests need a Chromium. Set CHROMIUM_PATH to one, or run "npx playwright install chromium", or on Debian "apt-get install chromium fonts-liberation" as root.',
  }
}

/** How it is started everywhere: without a screen, and talking to nobody but those it is sent to. */
export const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
