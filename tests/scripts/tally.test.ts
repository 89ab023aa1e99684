import { describe, expect, it } from 'vitest'
import { summary, vitestTally } from '../../scripts/tally.mjs'

const file = (status: string, tests: number) => ({ status, assertionResults: Array(tests).fill({}) })

describe('counting a vitest run', () => {
  it.each([
    {
      name: 'all well',
      report: { numPassedTests: 5, numFailedTests: 0, testResults: [file('passed', 5)] },
      exitCode: 0,
      tally: { passed: 5, failed: 0 },
    },
    {
      name: 'failed tests',
      report: { numPassedTests: 3, numFailedTests: 2, testResults: [file('failed', 5)] },
      exitCode: 1,
      tally: { passed: 3, failed: 2 },
    },
    {
      name: 'a file that could not be loaded',
      report: { numPassedTests: 3, numFailedTests: 1, testResults: [file('failed', 4), file('failed', 0)] },
      exitCode: 1,
      tally: { passed: 3, failed: 2 },
    },
    {
      name: 'an error outside of any test',
      report: { numPassedTests: 3, numFailedTests: 0, testResults: [file('passed', 3)] },
      exitCode: 1,
      tally: { passed: 3, failed: 1 },
    },
    {
      name: 'not a single test',
      report: { numPassedTests: 0, numFailedTests: 0, testResults: [] },
      exitCode: 0,
      tally: { passed: 0, failed: 1 },
    },
    { name: 'no report', report: undefined, exitCode: 1, tally: { passed: 0, failed: 1 } },
  ])('with $name gives $tally', ({ report, exitCode, tally }) => {
    expect(vitestTally(report, exitCode)).toEqual(tally)
  })
})

describe('the last line of npm test', () => {
  it.each([
    {
      tallies: [
        { passed: 1, failed: 0 },
        { passed: 41, failed: 0 },
      ],
      line: '42 passed, 0 failed',
      exitCode: 0,
    },
    {
      tallies: [
        { passed: 1, failed: 0 },
        { passed: 40, failed: 1 },
      ],
      line: '41 passed, 1 failed',
      exitCode: 1,
    },
    { tallies: [], line: '0 passed, 0 failed', exitCode: 1 },
  ])('is "$line" with exit code $exitCode', ({ tallies, line, exitCode }) => {
    expect(summary(tallies)).toMatchObject({ line, exitCode })
  })
})
