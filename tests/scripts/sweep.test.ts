import { describe, expect, it } from 'vitest'
import { pairsOf, pairwiseCases, singleCases, someOf } from '../kit/sweep.ts'

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

describe('some items of a list', () => {
  it('include the first and the last one, and in an exhaustive run all', () => {
    expect(someOf(some, [1, 2, 3, 4, 5], 3)).toEqual([1, 3, 5])
    expect(someOf(all, [1, 2, 3, 4, 5], 3)).toEqual([1, 2, 3, 4, 5])
  })
})

const colors = ['red', 'green', 'blue']
const cases = colors.flatMap((color) =>
  [1, 2, 3].flatMap((size) => [true, false].map((isRound) => ({ color, size, isRound }))),
)

describe('a selection of cases by single values', () => {
  const selection = singleCases(some, cases, Object.values)

  it('contains every value, in as few cases as the longest list of values', () => {
    expect(selection).toHaveLength(3)
    for (const each of cases)
      for (const [index, value] of Object.values(each).entries())
        expect(selection.some((chosen) => Object.values(chosen)[index] === value)).toBe(true)
  })

  it('contains every case in an exhaustive run', () => {
    expect(singleCases(all, cases, Object.values)).toEqual(cases)
  })
})

describe('a pairwise selection of cases', () => {
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
