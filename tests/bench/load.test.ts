import { describe, expect, it } from 'vitest'
import { load } from '../../bench/load.ts'

const MINUTE = 60_000

/** Seconds of what `npm run bench -- --only load` does for a minute: too short to judge memory by, long enough to see errors. */
describe('the load', () => {
  it('of people and applications is carried without an error, and everything about it is measured', {
    timeout: 4 * MINUTE,
  }, async () => {
    const rows = await load(null, { signInSeconds: 4, refreshSeconds: 2, people: 2 })
    const about = (start: string) => rows.filter(({ what }) => what.startsWith(start))
    const errors = about('errors in')
    expect(errors.map(({ measured }) => measured)).toEqual(['0', '0'])
    for (const { what } of errors) expect(what).toMatch(/^errors in [1-9]\d* (?:sign-ins|refreshes)$/)
    for (const { measured } of about('memory'))
      expect(measured).toMatch(/^(?:\d+\.\d, ){3}\d+\.\d MB; -?\d+ bytes$/)
    for (const { measured } of about('database per one'))
      expect(measured.split(', ').map((count) => Number(count) > 0)).toEqual([true, true, true])
    expect(rows).toHaveLength(8)
  })
})
