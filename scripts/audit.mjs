/**
 * `npm run audit`: whether something that ships is known to be vulnerable, is deprecated, or has had no release for long.
 * Ends with 0 when all is well, 1 when something was found, and 2 when the advisories could not be asked for: what nobody
 * has looked at is not well.
 */
import { readFileSync } from 'node:fs'
import { run } from './processes.mjs'
import { root } from './root.mjs'
import { lockedPackages } from './shipped.mjs'

const MOST_MONTHS = 24
const MONTH = 30 * 24 * 60 * 60 * 1000 // ms

export async function audit() {
  const answer = await run('npm', ['audit', '--omit=dev', '--json'], { cwd: root, show: 'never' })
  const advisories = judgeAdvisories(answer.stdout)
  const deprecated = lockedPackages().filter((entry) => entry.deprecated)
  console.log(advisories.text)
  for (const { name, version, ships, deprecated: why } of deprecated)
    console.log(`Deprecated${ships ? '' : ' (does not ship)'}: ${name} ${version}: ${why}`)
  for (const line of await unmaintained()) console.log(line)
  return exitCode(
    advisories.state,
    deprecated.some(({ ships }) => ships),
  )
}

/**
 * What npm's answer means. It answers with JSON also when it could not ask.
 *
 * @param {string} stdout
 * @returns {{ state: 'clean' | 'found' | 'unknown', text: string }}
 */
export function judgeAdvisories(stdout) {
  const report = parsed(stdout)
  const counts = report?.metadata?.vulnerabilities
  if (!counts || !report.vulnerabilities) {
    const why = report?.message ?? report?.error?.summary ?? 'npm gave no report'
    return {
      state: 'unknown',
      text: `UNKNOWN: the advisory service could not be asked (${why || 'no reason given'}). Nothing was checked.`,
    }
  }
  const found = Object.values(report.vulnerabilities)
  if (found.length === 0) return { state: 'clean', text: 'No known vulnerability in what ships.' }
  return {
    state: 'found',
    text: found.map(({ name, severity, range }) => `Vulnerable: ${name} ${range} (${severity})`).join('\n'),
  }
}

/** @param {'clean' | 'found' | 'unknown'} state @param {boolean} isDeprecated */
export function exitCode(state, isDeprecated) {
  if (state === 'found' || isDeprecated) return 1
  return state === 'unknown' ? 2 : 0
}

/** Packages we name ourselves, by their last release. A sign to look, not a verdict: some are simply done. */
async function unmaintained() {
  const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const lines = []
  for (const name of Object.keys(dependencies)) {
    const { stdout, code } = await run('npm', ['view', name, 'time.modified'], { cwd: root, show: 'never' })
    const released = Date.parse(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/.exec(stdout)?.[0] ?? '')
    if (code !== 0 || Number.isNaN(released))
      return [...lines, 'UNKNOWN: the registry does not say when packages changed.']
    const months = Math.floor((Date.now() - released) / MONTH)
    if (months > MOST_MONTHS) lines.push(`Quiet for ${months} months: ${name}`)
  }
  return lines
}

/** @param {string} stdout */
function parsed(stdout) {
  try {
    return JSON.parse(stdout.slice(stdout.indexOf('{')))
  } catch {
    return null
  }
}
