/**
 * Counts tests over several runs.
 *
 * @typedef {{ passed: number, failed: number }} Tally
 */

/**
 * A vitest run, from its JSON report. What failed without being a test (a file that could not be loaded, an error nobody
 * caught, a run that was killed) and a run without a single test count as failures too: silence is not success.
 *
 * @param {unknown} report undefined when there is none
 * @param {number} exitCode
 * @returns {Tally}
 */
export function vitestTally(report, exitCode) {
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = /** @type {Report} */ (report ?? {})
  const unloadable = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const failed = numFailedTests + unloadable.length
  const passed = numPassedTests
  return exitCode === 0 && passed + failed > 0 ? { passed, failed } : { passed, failed: Math.max(failed, 1) }
}

/**
 * @typedef {object} Report
 * @property {number} [numPassedTests]
 * @property {number} [numFailedTests]
 * @property {{ status: string, assertionResults: unknown[] }[]} [testResults]
 */

/** A check that is all or nothing. @param {number} exitCode @returns {Tally} */
export function checkTally(exitCode) {
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** @param {Tally[]} tallies @returns {Tally & { line: string, exitCode: number }} */
export function summary(tallies) {
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
  return {
    passed,
    failed,
    line: `${passed} passed, ${failed} failed`,
    exitCode: failed === 0 && passed > 0 ? 0 : 1,
  }
}
