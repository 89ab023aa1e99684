import { describe, expect, it } from 'vitest'
import { formatStageLine, listFailures, summarizeTallies, tallyVitestRun } from '../../scripts/tally.mjs'

const file = (status: string, tests: number) => ({ status, assertionResults: Array(tests).fill({}) })

describe('counting a vitest run', () => {
  it.each([
    {
      name: 'only passed tests',
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
      name: 'an error outside any test',
      report: { numPassedTests: 3, numFailedTests: 0, testResults: [file('passed', 3)] },
      exitCode: 1,
      tally: { passed: 3, failed: 1 },
    },
    {
      name: 'no tests at all',
      report: { numPassedTests: 0, numFailedTests: 0, testResults: [] },
      exitCode: 0,
      tally: { passed: 0, failed: 1 },
    },
    { name: 'no report', report: undefined, exitCode: 1, tally: { passed: 0, failed: 1 } },
  ])('returns $tally for $name', ({ report, exitCode, tally }) => {
    expect(tallyVitestRun(report, exitCode)).toEqual(tally)
  })
})

describe('the list of failures at the end of npm test', () => {
  const passed = { status: 'passed', fullName: 'that works' }
  const failed = {
    status: 'failed',
    fullName: 'that fails',
    failureMessages: ['Error: too late\n    at here'],
  }

  it('contains the failed tests, each with its file and the first line of the error', () => {
    const report = {
      testResults: [
        { name: '/clone/tests/api/a.test.ts', status: 'failed', assertionResults: [passed, failed] },
      ],
    }
    expect(listFailures(report)).toEqual(['tests/api/a.test.ts: that fails: Error: too late'])
  })

  it('contains test files that could not be loaded', () => {
    const unloadable = { status: 'failed', assertionResults: [], message: 'SyntaxError: what' }
    expect(listFailures({ testResults: [{ ...unloadable, name: '/clone/tests/web/b.test.ts' }] })).toEqual([
      'tests/web/b.test.ts: could not be loaded: SyntaxError: what',
    ])
  })

  it('is at most a page long', () => {
    const assertionResults = Array(50).fill(failed)
    const lines = listFailures({
      testResults: [{ name: 'tests/a.test.ts', status: 'failed', assertionResults }],
    })
    expect(lines).toHaveLength(41)
    expect(lines.at(-1)).toBe('and 10 more')
  })

  it('is empty if no tests failed or none ran', () => {
    expect(listFailures(undefined)).toEqual([])
    expect(
      listFailures({ testResults: [{ name: '', status: 'passed', assertionResults: [passed] }] }),
    ).toEqual([])
  })
})

describe('a stage’s summary line', () => {
  it('contains the duration and the test counts', () => {
    expect(formatStageLine('Types', { passed: 1, failed: 0 }, 21_400)).toMatch(/^Types +21 s +1 passed$/)
    expect(formatStageLine('Types', { passed: 0, failed: 1 }, 900)).toMatch(
      /^Types +1 s +0 passed, 1 failed$/,
    )
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
    expect(summarizeTallies(tallies)).toMatchObject({ line, exitCode })
  })
})
