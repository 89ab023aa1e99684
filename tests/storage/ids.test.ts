import { expect, it } from 'vitest'
import { randomId } from '../../src/storage/ids.ts'

it.each([1, 12, 21])('randomId returns %i letters and digits', (length) => {
  expect(randomId(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
})

it('[ASVS-11.5.1-2] randomId uses all characters about equally often', () => {
  const drawn = Map.groupBy(
    Array.from({ length: 1000 }, () => randomId(62)).join(''),
    (character) => character,
  )
  const counts = [...drawn.values()].map(({ length }) => length)

  // Each character appears 1000 times on average, with a standard deviation of 31. With a plain modulo, some characters
  // would appear 1250 times.
  expect(counts).toHaveLength(62)
  expect(Math.max(...counts)).toBeLessThan(1190)
  expect(Math.min(...counts)).toBeGreaterThan(810)
})
