/**
 * `npm run audit`: lists packages that ship and are known to be vulnerable, are deprecated, or have had no release for long.
 * Exit code 0: nothing found, 1: something found, 2: the advisory service did not answer.
 */
import { readFileSync } from 'node:fs'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'
import { lockedPackages } from './shipped.mjs'

const MAX_MONTHS = 24
const MONTH = 30 * 24 * 60 * 60 * 1000 // ms

export async function auditCommand() {
  const answer = await runProgram('npm', ['audit', '--omit=dev', '--json'], { cwd: root, show: 'never' })
  const advisories = checkAdvisories(answer.stdout)
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
 * Reads npm's report. npm also answers with JSON when the service fails.
 *
 * @param {string} stdout
 * @returns {{ state: 'clean' | 'found' | 'unknown', text: string }}
 */
export function checkAdvisories(stdout) {
  const report = parsed(stdout)
  const counts = report?.metadata?.vulnerabilities
  if (!counts || !report.vulnerabilities) {
    const why = report?.message ?? report?.error?.summary ?? 'npm printed no report'
    return {
      state: 'unknown',
      text: `UNKNOWN: the advisory service did not answer (${why || 'no reason given'}). Nothing was checked.`,
    }
  }
  const findings = Object.values(report.vulnerabilities)
  if (findings.length === 0)
    return { state: 'clean', text: 'No known vulnerability in the packages that ship.' }
  return {
    state: 'found',
    text: findings
      .map(({ name, severity, range }) => `Vulnerable: ${name} ${range} (${severity})`)
      .join('\n'),
  }
}

/** @param {'clean' | 'found' | 'unknown'} state @param {boolean} isDeprecated */
export function exitCode(state, isDeprecated) {
  if (state === 'found' || isDeprecated) return 1
  return state === 'unknown' ? 2 : 0
}

/** Direct dependencies without a recent release. This is a hint to look, not a finding: some packages are complete. */
async function unmaintained() {
  const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const lines = []
  for (const name of Object.keys(dependencies)) {
    const { stdout, code } = await runProgram('npm', ['view', name, 'time.modified'], {
      cwd: root,
      show: 'never',
    })
    const released = Date.parse(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/.exec(stdout)?.[0] ?? '')
    if (code !== 0 || Number.isNaN(released))
      return [...lines, 'UNKNOWN: the registry does not answer the dates of releases.']
    const months = Math.floor((Date.now() - released) / MONTH)
    if (months > MAX_MONTHS) lines.push(`No release for ${months} months: ${name}`)
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
