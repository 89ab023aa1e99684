import { describe, expect, it } from 'vitest'
import { pairsOf, pairwiseCases } from '../kit/sweep.ts'

const some = { isExhaustive: false, seed: 1 }
const all = { isExhaustive: true, seed: 1 }

describe('pairs of two lists', () => {
  it('meet every item of both, and every pair in an exhaustive run', () => {
    expect(pairsOf(some, ['a', 'b', 'c'], [1, 2])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ])
    expect(pairsOf(all, ['a', 'b', 'c'], [1, 2])).toHaveLength(6)
    expect(pairsOf(some, [], [1, 2])).toEqual([])
  })
})

describe('a pairwise choice of cases', () => {
  const colors = ['red', 'green', 'blue']
  const cases = colors.flatMap((color) =>
    [1, 2, 3].flatMap((size) => [true, false].map((isRound) => ({ color, size, isRound }))),
  )
  const chosen = pairwiseCases(some, cases, Object.values)

  it('is much smaller, and whole in an exhaustive run', () => {
    expect(chosen.length).toBeLessThanOrEqual(10)
    expect(pairwiseCases(all, cases, Object.values)).toEqual(cases)
  })

  it('has every pair of values that some case has', () => {
    for (const { color, size, isRound } of cases) {
      expect(chosen.some((each) => each.color === color && each.size === size)).toBe(true)
      expect(chosen.some((each) => each.color === color && each.isRound === isRound)).toBe(true)
      expect(chosen.some((each) => each.size === size && each.isRound === isRound)).toBe(true)
    }
  })
})
