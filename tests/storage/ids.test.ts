import { expect, it } from 'vitest'
import { randomId } from '../../src/storage/ids.ts'

it.each([1, 12, 21])('randomId returns %i letters and digits', (length) => {
  expect(randomId(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
})

it('[ASVS-11.5.1-2] randomId draws all characters about equally often', () => {
  const drawn = Map.groupBy(
    Array.from({ length: 1000 }, () => randomId(62)).join(''),
    (character) => character,
  )
  const counts = [...drawn.values()].map(({ length }) => length)

  // There are 1000 of each on average, with a standard deviation of 31; a plain modulo would give some of them 1250.
  expect(counts).toHaveLength(62)
  expect(Math.max(...counts)).toBeLessThan(1190)
  expect(Math.min(...counts)).toBeGreaterThan(810)
})
