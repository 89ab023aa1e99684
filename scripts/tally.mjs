/**
 * Adds up the tests of several runs.
 *
 * @typedef {{ passed: number, failed: number }} Tally
 */

/**
 * Counts the tests in the JSON report of a vitest run. Failures outside of tests (a file that could not be loaded, an
 * uncaught error, a run that was killed) and runs without any test also count as failures.
 *
 * @param {unknown} report undefined if there is none
 * @param {number} exitCode
 * @returns {Tally}
 */
export function tallyVitestRun(report, exitCode) {
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
 * @property {FileReport[]} [testResults]
 */

/**
 * @typedef {object} FileReport
 * @property {string} status
 * @property {TestReport[]} assertionResults
 * @property {string} [name] the path of the file
 * @property {string} [message] why it could not be loaded
 */

/** @typedef {{ status?: string, fullName?: string, failureMessages?: string[] | null }} TestReport */

/** The maximum number of failures to print. With more, the first ones would scroll out of view. */
const MAX_FAILURES = 40

/**
 * Describes each failure in one line, for the end of the log.
 *
 * @param {unknown} report the report of a vitest run, undefined if there is none
 * @returns {string[]}
 */
export function listFailures(report) {
  const { testResults = [] } = /** @type {Report} */ (report ?? {})
  const lines = testResults.flatMap(({ name = '', status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && assertionResults.length === 0)
      return [line(name, 'could not be loaded', message)]
    return failed.map(({ fullName = '', failureMessages }) => line(name, fullName, failureMessages?.[0]))
  })
  const more = lines.length - MAX_FAILURES
  return more > 0 ? [...lines.slice(0, MAX_FAILURES), `and ${more} more`] : lines
}

/** @param {string} file @param {string} what @param {string} [why] */
const line = (file, what, why = '') =>
  `${file.replace(/^.*?(?=tests\/)/, '')}: ${what}: ${why.split('\n')[0]}`.slice(0, 300)

/** Counts a check that either passes or fails as a whole. @param {number} exitCode @returns {Tally} */
export function tallyCheck(exitCode) {
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** @param {string} title @param {Tally} tally @param {number} time in milliseconds */
export function formatStageLine(title, { passed, failed }, time) {
  const seconds = `${Math.round(time / 1000)} s`
  return `${title.padEnd(46)}${seconds.padStart(7)}${`${passed} passed`.padStart(14)}${failed > 0 ? `, ${failed} failed` : ''}`
}

/** @param {Tally[]} tallies @returns {Tally & { line: string, exitCode: number }} */
export function summarizeTallies(tallies) {
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
  return {
    passed,
    failed,
    line: `${passed} passed, ${failed} failed`,
    exitCode: failed === 0 && passed > 0 ? 0 : 1,
  }
}
