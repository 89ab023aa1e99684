import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { missingTests, testIds, testTitles } from '../../kit/cited-tests.ts'
import { type Requirement, readRequirements } from './requirements.ts'

/**
 * For each requirement, docs/operations/security.md names the code and either the tests or the reason why
 * there are none.
 */
const FILE = 'docs/operations/security.md'

const document = readFileSync(FILE, 'utf8')
const requirements = readRequirements(document)
const place = ({ line, clause }: Requirement) => `${FILE}:${line} ${clause}`

/** All 70 requirements of level 1 in OWASP ASVS 5.0.0 as published (column L). */
const levelOne =
  `
  1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.5.1
  2.1.1 2.2.1 2.2.2 2.3.1
  3.2.1 3.2.2 3.3.1 3.4.1 3.4.2 3.5.1 3.5.2 3.5.3
  4.1.1 4.4.1
  5.2.1 5.2.2 5.3.1 5.3.2
  6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1 6.3.2 6.4.1 6.4.2
  7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2
  8.1.1 8.2.1 8.2.2 8.3.1
  9.1.1 9.1.2 9.1.3 9.2.1
  10.4.1 10.4.2 10.4.3 10.4.4 10.4.5
  11.3.1 11.3.2 11.4.1
  12.1.1 12.2.1 12.2.2
  13.4.1
  14.2.1 14.3.1
  15.1.1 15.2.1 15.3.1
`.match(/\S+/g) ?? []

describe('docs/operations/security.md', () => {
  it('has a chapter for each standard with its version', () => {
    for (const standard of [
      ...['RFC 9700', 'RFC 9207', 'RFC 7636', 'RFC 8252', 'RFC 8707', 'OpenID Connect Core 1.0'],
      ...['Discovery', 'RP-Initiated Logout', 'Back-Channel Logout', 'ASVS 5.0.0'],
    ])
      expect(document).toMatch(new RegExp(`^## .*${standard}`, 'm'))
  })

  it('names the code and either a test or a reason for every requirement', () => {
    const incomplete = requirements.filter(({ state, code, reason, tests }) => {
      const isProved = state === 'Test' && tests.length > 0
      return code === '' || !(isProved || reason.length > 12)
    })
    expect(incomplete.map(place)).toEqual([])
  })

  it('lists every requirement once in its chapter, by clause number', () => {
    const unnumbered = requirements.filter(({ clause }) => !/^\d[\d.]*$/.test(clause))
    expect(unnumbered.map(place)).toEqual([])
    const keys = requirements.map(({ chapter, clause, text }) => `${chapter}: ${clause} ${text}`)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  })

  it('has a requirement for every ASVS level 1 clause', () => {
    const clauses = requirements.flatMap(({ chapter, clause }) => (chapter.includes('ASVS') ? clause : []))
    expect(levelOne.filter((clause) => !clauses.includes(clause))).toEqual([])
  })

  it('names only files that exist', () => {
    const files = requirements.flatMap((requirement) =>
      [...requirement.code.matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(([, file = '']) => ({
        file,
        place: place(requirement),
      })),
    )
    expect(files).not.toEqual([])
    expect(files.filter(({ file }) => !existsSync(file))).toEqual([])
  })

  it('cites the id of every test that has one, and each id is unique', () => {
    const ids = globSync('tests/**/*.test.{ts,tsx}').flatMap((file) => testIds(readFileSync(file, 'utf8')))
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const cited = requirements.flatMap(({ tests }) => tests)
    expect(new Set(cited)).toEqual(new Set(ids))
  })
})

describe('the review in docs/operations/security.md', () => {
  const rows = [...document.matchAll(/^\| (\d+) +\| .+ \| `(tests\/\S+)` +\|$/gm)]

  it('has a row for each finding, with a test that exists', () => {
    expect(rows).not.toEqual([])
    const numbers = rows.map(([, row]) => Number(row))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    expect(rows.filter(([, , file = '']) => !existsSync(file))).toEqual([])
  })
})

describe('a cited test', () => {
  it('is found by its title, but not by its group’s title', () => {
    // The id is interpolated below, because a literal would count as a test id of this file.
    const id = 'ASVS-6.2.4-2'
    const source = `describe('a group', () => {
      it('a sentence', () => {})
      it.each([['x']])('a table of %s', () => {})
      it.each<{ what: string }>([
        { what: 'x (y)' },
      ])('another of $what', () => {})
      it.skip('one that is left out', () => {})
      it('[${id}] one with an id', () => {})
    })`
    const titles = ['a sentence', 'a table of %s', 'another of $what', 'one with an id']
    expect(testTitles(source)).toEqual(titles)
    expect(testIds(source)).toEqual([id])
  })

  it('is reported with the most similar title in the file if it is missing', () => {
    const file = 'tests/security/repository/table.test.ts'
    expect(missingTests('a.md', [{ line: 7, file, title: 'names files that are there' }])).toEqual([
      `a.md:7 ${file} "names files that are there", most similar: ${file} "names only files that exist"`,
    ])
  })
})
