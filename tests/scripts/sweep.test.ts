import { describe, expect, it } from 'vitest'
import { pairsOf, pairwiseCases } from '../kit/sweep.ts'

const some = { isExhaustive: false, seed: 1 }
const all = { isExhaustive: true, seed: 1 }

describe('pairing two lists', () => {
  it('uses every item of both lists, and in an exhaustive run every pair', () => {
    expect(pairsOf(some, ['a', 'b', 'c'], [1, 2])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ])
    expect(pairsOf(all, ['a', 'b', 'c'], [1, 2])).toHaveLength(6)
    expect(pairsOf(some, [], [1, 2])).toEqual([])
  })
})

describe('a pairwise selection of cases', () => {
  const colors = ['red', 'green', 'blue']
  const cases = colors.flatMap((color) =>
    [1, 2, 3].flatMap((size) => [true, false].map((isRound) => ({ color, size, isRound }))),
  )
  const selection = pairwiseCases(some, cases, Object.values)

  it('is much smaller than the full list, except in an exhaustive run', () => {
    expect(selection.length).toBeLessThanOrEqual(10)
    expect(pairwiseCases(all, cases, Object.values)).toEqual(cases)
  })

  it('contains every pair of values that occurs in some case', () => {
    for (const { color, size, isRound } of cases) {
      expect(selection.some((each) => each.color === color && each.size === size)).toBe(true)
      expect(selection.some((each) => each.color === color && each.isRound === isRound)).toBe(true)
      expect(selection.some((each) => each.size === size && each.isRound === isRound)).toBe(true)
    }
  })
})
