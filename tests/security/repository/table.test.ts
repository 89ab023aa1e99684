import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * docs/security.md says of each requirement where it is met and which test proves it: `file`: "title". A row without a proof
 * says that it is a gap, or does not apply, and why.
 */
const FILE = 'docs/security.md'

type Row = { line: number; table: string; requirement: string; met: string; proof: string }

let table = ''
const rows: Row[] = readFileSync(FILE, 'utf8')
  .split('\n')
  .flatMap((text, index) => {
    if (text.startsWith('## ')) table = text.slice(3)
    const cells = text.split(/(?<!\\)\|/).slice(1, -1)
    if (!text.startsWith('|') || cells.length === 0) return []
    const [requirement = '', met = '', proof = ''] = cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
    const isHead = /^-+$/.test(requirement) || met === 'Where'
    return isHead ? [] : [{ line: index + 1, table, requirement, met, proof }]
  })

const proofs = rows.flatMap((row) =>
  [...row.proof.matchAll(/`(tests\/[\w./-]+)`: "([^"]+)"/g)].map(([, file = '', title = '']) => ({
    ...row,
    file,
    title,
  })),
)

/** The titles of the tests in a source file, as they are written: those of a table with its placeholders. */
function titlesIn(source: string): Set<string> {
  const call = /(?:\b(it|test)(?:\.(?:each|for)\b(?:<[^(]*>)?)?|\))\(\s*(['"`])((?:\\.|(?!\2).)*)\2\s*,/gs
  const found = [...source.matchAll(call)].map(([, , , title = '']) => title.replaceAll(/\\(.)/g, '$1'))
  return new Set(found)
}

const isTold = ({ proof }: Row) => /^(?:gap|does not apply|platform|operator)\b.{12,}/i.test(proof)

/** OWASP ASVS 5.0.0 as published, column L: all 70 of level 1. */
const levelOne = [
  ...[
    '1.2.1',
    '1.2.2',
    '1.2.3',
    '1.2.4',
    '1.2.5',
    '1.3.1',
    '1.3.2',
    '1.5.1',
    '2.1.1',
    '2.2.1',
    '2.2.2',
    '2.3.1',
  ],
  ...['3.2.1', '3.2.2', '3.3.1', '3.4.1', '3.4.2', '3.5.1', '3.5.2', '3.5.3', '4.1.1', '4.4.1'],
  ...[
    '5.2.1',
    '5.2.2',
    '5.3.1',
    '5.3.2',
    '6.1.1',
    '6.2.1',
    '6.2.2',
    '6.2.3',
    '6.2.4',
    '6.2.5',
    '6.2.6',
    '6.2.7',
  ],
  ...['6.2.8', '6.3.1', '6.3.2', '6.4.1', '6.4.2', '7.2.1', '7.2.2', '7.2.3', '7.2.4', '7.4.1', '7.4.2'],
  ...['8.1.1', '8.2.1', '8.2.2', '8.3.1', '9.1.1', '9.1.2', '9.1.3', '9.2.1'],
  ...[
    '10.4.1',
    '10.4.2',
    '10.4.3',
    '10.4.4',
    '10.4.5',
    '11.3.1',
    '11.3.2',
    '11.4.1',
    '12.1.1',
    '12.2.1',
    '12.2.2',
  ],
  ...['13.4.1', '14.2.1', '14.3.1', '15.1.1', '15.2.1', '15.3.1'],
]

describe('docs/security.md', () => {
  it('has a table for each standard, and says which version', () => {
    expect(rows.length).toBeGreaterThan(120)
    const text = readFileSync(FILE, 'utf8')
    for (const standard of [
      ...['RFC 9700', 'RFC 9207', 'RFC 7636', 'RFC 8252', 'RFC 8707', 'OpenID Connect Core 1.0'],
      ...['Discovery', 'RP-Initiated Logout', 'Back-Channel Logout', 'ASVS 5.0.0'],
    ])
      expect(text).toContain(standard)
  })

  it('has no row without a proof, or the word that there is none and why', () => {
    const bare = rows.filter((row) => !isTold(row) && !proofs.some(({ line }) => line === row.line))
    expect(bare.map(({ line, requirement }) => `${FILE}:${line} ${requirement}`)).toEqual([])
  })

  it('names every requirement by the number of its clause, and once in its table', () => {
    const unnumbered = rows.filter(({ requirement }) => !/^\d[\d.]*[DRB]?\s/.test(requirement))
    expect(unnumbered.map(({ line }) => line)).toEqual([])
    for (const [name, own] of Map.groupBy(rows, (row) => row.table)) {
      const twice = own.filter(
        ({ requirement }, index) => own.findIndex((row) => row.requirement === requirement) !== index,
      )
      expect([name, twice.map(({ line, requirement }) => `${FILE}:${line} ${requirement}`)]).toEqual([
        name,
        [],
      ])
    }
  })

  it('has a row for every clause of level 1 of the ASVS', () => {
    const clauses = rows
      .filter((row) => row.table.includes('ASVS'))
      .map(({ requirement }) => requirement.split(' ')[0])
    expect(levelOne.filter((clause) => !clauses.includes(clause))).toEqual([])
  })

  it('counts its rows as they are', () => {
    const slots = rows.filter(({ proof }) => /^gap\b/.test(proof)).length
    const proved = new Set(proofs.map(({ line }) => line)).size
    const text = readFileSync(FILE, 'utf8').replaceAll('\n', ' ')
    expect(text).toContain(
      `Of ${rows.length} rows ${proved} are proved by tests, ${slots} are gaps, and ${rows.length - proved - slots} apply to nothing`,
    )
  })

  it('names files that are there', () => {
    const files = rows.flatMap(({ met, line }) =>
      [...met.matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(([, file = '']) => ({ file, line })),
    )
    expect(files.length).toBeGreaterThan(80)
    const gone = files.filter(({ file }) => !existsSync(file))
    expect(gone).toEqual([])
  })

  it('names tests that are there, by their titles', () => {
    const titles = new Map<string, Set<string>>()
    const isThere = ({ file, title }: { file: string; title: string }) => {
      if (!existsSync(file)) return false
      const known = titles.get(file) ?? titlesIn(readFileSync(file, 'utf8'))
      titles.set(file, known)
      return known.has(title)
    }
    const gone = proofs.filter((proof) => !isThere(proof))
    expect(gone.map(({ line, file, title }) => `${FILE}:${line} ${file}: "${title}"`)).toEqual([])
  })
})

describe('a test that proves something', () => {
  it('is found by its title, from a table or not, and not by that of its group', () => {
    const source = `describe('a group', () => {
      it('a sentence', () => {})
      it.each([['x']])('a table of %s', () => {})
      it.each<{ what: string }>([
        { what: 'x (y)' },
      ])('another of $what', () => {})
      it.skip('one that is left out', () => {})
    })`
    expect([...titlesIn(source)]).toEqual(['a sentence', 'a table of %s', 'another of $what'])
  })
})
