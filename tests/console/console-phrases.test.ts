import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { germanProblems } from '../../console/api/problem-words-de.ts'
import { describeLimit } from '../../console/areas/settings/limit-words.ts'
import { interpolate } from '../../console/phrases.ts'
import { RATE_LIMITS, type RateLimitName } from '../../src/contract/rate-limits.ts'
import { writtenTables } from '../kit/console-phrases.ts'
import { codeOf, sourceFiles } from '../kit/source-files.ts'

/** Checks the texts of the console against the German words of docs/glossary/console.md. */

type Text = { where: string; en: string; de: string }

const tables = writtenTables()
const phrases: Text[] = tables.flatMap(({ file, name, en, de }) =>
  Object.entries(en).map(([key, text]) => ({ where: `${file} ${name}.${key}`, en: text, de: de[key] ?? '' })),
)
const limits = (Object.keys(RATE_LIMITS) as RateLimitName[]).map((name) => ({
  where: `limit ${name}`,
  en: describeLimit(name, 'en').counts,
  de: describeLimit(name, 'de').counts,
}))
const problems = Object.entries(germanProblems).map(([en, de]) => ({ where: 'problem', en, de }))
const texts: Text[] = [...phrases, ...limits, ...problems]

/** English words that are also used in German. */
const sameInBoth = [
  ...[
    'APIs',
    'Administrator',
    'Bucket',
    'Code',
    'Container',
    'Domain',
    'Domains',
    'Favicon',
    'Format',
    'HOSTS',
    'HTML',
    'Hosts',
    'ID',
  ],
  ...[
    'Issuer',
    'Layout',
    'Link',
    'Logo',
    'Name',
    'Passkey',
    'Passkeys',
    'Region',
    'Secret',
    'Server',
    'Start',
  ],
  ...['Status', 'Support', 'System', 'Tokens', 'Version', 'Webhooks', 'Website'],
]

it('the tests cover every phrase table of the console', () => {
  const calls = sourceFiles(['console'])
    .filter((file) => file !== 'console/phrases.ts')
    .flatMap((file) => [...codeOf(file).matchAll(/\bphrases\(/g)])
  expect(tables).toHaveLength(calls.length)
})

it('every phrase has a German translation that differs from the English text', () => {
  for (const { file, name, en, de } of tables) {
    expect(Object.keys(de).toSorted(), `${file} ${name}`).toEqual(Object.keys(en).toSorted())
  }
  const same = phrases.filter(({ en, de }) => en === de).map(({ en }) => en)
  expect([...new Set(same)].toSorted()).toEqual(sameInBoth)
})

it('German phrases keep all placeholders, and use German quotes and the polite form of address', () => {
  const valuesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted().join()
  const faulty = texts.filter(
    ({ en, de }) => valuesIn(en) !== valuesIn(de) || /["”]|“(?! |[.,;:)?]|$)|\b(?:du|dein\w*)\b/i.test(de),
  )
  expect(faulty).toEqual([])
})

it.each<{ language: string; values: Record<string, string>; text: string }>([
  { language: 'en', values: { count: '1' }, text: '1 entry' },
  { language: 'en', values: { count: '0' }, text: '0 entries' },
  { language: 'en', values: { count: '1,234' }, text: '1,234 entries' },
  { language: 'de', values: { count: '1.234' }, text: '1.234 entries' },
  { language: 'en', values: {}, text: '{count} {count|entry|entries}' },
])('the values $values are formatted with the plural rules of $language', ({ language, values, text }) => {
  expect(interpolate('{count} {count|entry|entries}', values, language)).toBe(text)
})

/** The English word introduces both a recipient and the end of a period, for which German has different words. */
const ambiguous = 'To'

it('equal English texts have equal German translations', () => {
  const same = Map.groupBy(
    phrases.filter(({ en }) => en !== ambiguous),
    ({ en }) => en,
  )
  expect([...same.values()].filter((all) => new Set(all.map(({ de }) => de)).size > 1)).toEqual([])
})

describe('the console’s strings', () => {
  const rows = readFileSync('docs/glossary/console.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, term = '', german = '', not = '']) => ({ term, german, not }))

  it.each(rows)('translate "$term" as "$german"', ({ term, german, not }) => {
    const named = new RegExp(`\\b${inflected(term)}\\b`, 'i')
    const words = german.split(', ').map(stemsOf)
    const wrong = texts
      .filter(({ en }) => named.test(withoutQuotes(en)))
      .filter(({ de }) => !words.some((stems) => stems.every((stem) => de.toLowerCase().includes(stem))))
    expect(wrong).toEqual([])
    const excluded = new RegExp(`\\b${not}`)
    expect(not ? texts.filter(({ de }) => excluded.test(de)) : []).toEqual([])
  })
})

/** Removes placeholders and the quoted names of other pages and programs. */
const withoutQuotes = (text: string) => text.replaceAll(/\{\w+\}|“[^”]*”/g, '')

/** Returns a pattern for the forms of a term: `sign in` also matches `signs in`, `sign-in` and `sign-ins`. */
const inflected = (term: string) =>
  term.replace(/y$/, '(?:y|ies)').split(' ').join('(?:s|ed|ing)?[ -]') + (term.endsWith('e') ? '[sd]?' : 's?')

/** Returns the beginning of each word, which inflection doesn't change. */
const stemsOf = (words: string) =>
  words.split(' ').map((word) => word.toLowerCase().slice(0, Math.max(3, Math.ceil(word.length * 0.6))))
