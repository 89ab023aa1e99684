import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/contract/time.ts'
import { SWEEP_CYCLE, SWEPT_BLOCK, sweptRanges } from '../../src/domain/swept-ranges.ts'

/** Returns the runs of so many minutes, as the rows that each of them examines. */
const runs = (span: { first: number; last: number }, minutes: number) =>
  Array.from({ length: minutes }, (_, minute) => sweptRanges(span, minute * MINUTE))

const isExamined = (ranges: ReturnType<typeof sweptRanges>, row: number) =>
  ranges.some(({ first, last }) => first <= row && row <= last)

describe('a sweep', () => {
  it.each([
    { first: 1, last: 1 },
    { first: 1, last: SWEPT_BLOCK },
    { first: SWEPT_BLOCK - 5, last: SWEPT_BLOCK + 5 },
  ])('examines a small table in each run: $first to $last', (span) => {
    for (const ranges of runs(span, 3))
      expect([isExamined(ranges, span.first), isExamined(ranges, span.last)]).toEqual([true, true])
  })

  it.each([
    { first: 1, last: SWEPT_BLOCK + 1, cycle: 2 },
    { first: 70_001, last: 190_000, cycle: 6 },
    { first: 1, last: 50_000_000, cycle: SWEEP_CYCLE },
    { first: 123_456_789, last: 987_654_321, cycle: SWEEP_CYCLE },
  ])('examines each row of $first to $last once in $cycle minutes', ({ cycle, ...span }) => {
    const examined = runs(span, 2 * cycle)
    const { first, last } = span
    const middle = Math.floor((first + last) / 2)
    for (const row of [first, first + SWEPT_BLOCK, middle, last - SWEPT_BLOCK, last])
      expect(examined.flatMap((ranges, minute) => (isExamined(ranges, row) ? minute % cycle : []))).toEqual(
        Array(2).fill(expect.any(Number)),
      )
    const rowsOf = (ranges: ReturnType<typeof sweptRanges>) => ranges.length * SWEPT_BLOCK
    const share = (last - first + 1) / cycle
    for (const ranges of examined) expect(rowsOf(ranges)).toBeLessThanOrEqual(share + 2 * SWEPT_BLOCK)
  })

  it('examines each row within an hour although rows are added and deleted in the meantime', () => {
    const row = 5_000_001
    const examined = Array.from({ length: SWEEP_CYCLE }, (_, minute) =>
      sweptRanges({ first: 1 + minute * 40_000, last: 9_000_000 + minute * 70_000 }, minute * MINUTE),
    )
    expect(examined.filter((ranges) => isExamined(ranges, row))).toHaveLength(1)
  })
})
