import { expect, it } from 'vitest'
import { randomId } from '../../src/storage/ids.ts'

it.each([1, 12, 21])('makes ids of %i letters and digits', (length) => {
  expect(randomId(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
})

it('[ASVS-11.5.1-2] draws every character about as often as every other', () => {
  const drawn = Map.groupBy(
    Array.from({ length: 1000 }, () => randomId(62)).join(''),
    (character) => character,
  )
  const counts = [...drawn.values()].map(({ length }) => length)

  // 1000 of each on average, with a standard deviation of 31; a modulo without care would give some of them 1250.
  expect(counts).toHaveLength(62)
  expect(Math.max(...counts)).toBeLessThan(1190)
  expect(Math.min(...counts)).toBeGreaterThan(810)
})
