import { describe, expect, it } from 'vitest'
import { loadRows } from '../../bench/load.ts'
import { MINUTE } from '../../src/contract/time.ts'
import { sweepOfProcess } from '../kit/sweep.ts'

/**
 * Runs `npm run bench -- --only load` for two seconds, which is too short to check memory but long enough to detect
 * errors.
 */
describe.runIf(sweepOfProcess().isExhaustive)('the benchmark’s load section', () => {
  it('completes every sign-in and refresh without errors, and reports every figure', {
    timeout: 4 * MINUTE,
  }, async () => {
    const rows = await loadRows(null, { signInSeconds: 1, refreshSeconds: 1, userCount: 2 })
    const rowsAbout = (start: string) => rows.filter(({ what }) => what.startsWith(start))
    const errors = rowsAbout('errors in')
    expect(errors.map(({ measured }) => measured)).toEqual(['0', '0'])
    for (const { what } of errors) expect(what).toMatch(/^errors in [1-9]\d* (?:sign-ins|refreshes)$/)
    for (const { measured } of rowsAbout('memory'))
      expect(measured).toMatch(/^(?:\d+\.\d, ){3}\d+\.\d MB; -?\d+ bytes$/)
    for (const { measured } of rowsAbout('database per one'))
      expect(measured.split(', ').map((count) => Number(count) > 0)).toEqual([true, true, true])
    expect(rows).toHaveLength(8)
  })
})
