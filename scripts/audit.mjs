/**
 * `npm run audit` lists the shipped packages that have known vulnerabilities, are deprecated, or have not had a
 * release for a long time. The exit code is 0 if there are no findings, 1 if there are any, and 2 if the advisory
 * service did not respond.
 */
import { readFileSync } from 'node:fs'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'
import { readLockedPackages } from './shipped.mjs'

const MAX_MONTHS = 24
const MONTH = 30 * 24 * 60 * 60 * 1000 // ms

export async function auditCommand() {
  const report = await runProgram('npm', ['audit', '--omit=dev', '--json'], { cwd: root, show: 'never' })
  const advisories = checkAdvisories(report.stdout)
  const deprecated = readLockedPackages().filter((entry) => entry.deprecated)
  console.log(advisories.text)
  for (const { name, version, ships, deprecated: why } of deprecated)
    console.log(`Deprecated${ships ? '' : ' (does not ship)'}: ${name} ${version}: ${why}`)
  for (const line of await listUnmaintained()) console.log(line)
  return chooseExitCode(
    advisories.state,
    deprecated.some(({ ships }) => ships),
  )
}

/**
 * Reads npm's report. npm prints JSON even when the advisory service fails.
 *
 * @param {string} stdout
 * @returns {{ state: 'clean' | 'found' | 'unknown', text: string }}
 */
export function checkAdvisories(stdout) {
  const report = parseReport(stdout)
  const counts = report?.metadata?.vulnerabilities
  if (!counts || !report.vulnerabilities) {
    const why = report?.message ?? report?.error?.summary ?? 'npm printed no report'
    return {
      state: 'unknown',
      text: `UNKNOWN: the advisory service didn't respond (${why || 'no reason given'}). Nothing was checked.`,
    }
  }
  const findings = Object.values(report.vulnerabilities)
  if (findings.length === 0)
    return { state: 'clean', text: 'No known vulnerabilities in the packages that ship.' }
  return {
    state: 'found',
    text: findings
      .map(({ name, severity, range }) => `Vulnerable: ${name} ${range} (${severity})`)
      .join('\n'),
  }
}

/** @param {'clean' | 'found' | 'unknown'} state @param {boolean} isDeprecated */
export function chooseExitCode(state, isDeprecated) {
  if (state === 'found' || isDeprecated) return 1
  return state === 'unknown' ? 2 : 0
}

/**
 * Lists the direct dependencies without a recent release. These are only hints, because some packages are simply
 * complete.
 */
async function listUnmaintained() {
  const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const lines = []
  for (const name of Object.keys(dependencies)) {
    const { stdout, code } = await runProgram('npm', ['view', name, 'time.modified'], {
      cwd: root,
      show: 'never',
    })
    const releasedAt = Date.parse(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/.exec(stdout)?.[0] ?? '')
    if (code !== 0 || Number.isNaN(releasedAt))
      return [...lines, "UNKNOWN: the registry didn't return the release dates."]
    const months = Math.floor((Date.now() - releasedAt) / MONTH)
    if (months > MAX_MONTHS) lines.push(`No release for ${months} months: ${name}`)
  }
  return lines
}

/** @param {string} stdout */
function parseReport(stdout) {
  try {
    return JSON.parse(stdout.slice(stdout.indexOf('{')))
  } catch {
    return null
  }
}
