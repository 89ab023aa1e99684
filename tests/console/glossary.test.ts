import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type BuiltInLanguage, builtInLanguages } from '../../src/contract/experience/languages.ts'
import type { Phrases } from '../../src/contract/interactions/boot.ts'
import { phraseCatalogues } from '../client/catalogues.ts'

/** Tests that texts use the terms of docs/glossary consistently. */

const terms = [
  'sign in',
  'sign out',
  'account',
  'verification code',
  'password',
  'username',
  'email',
  'phone number',
  'device',
  'app',
  'provider',
  'connector',
  'link (an account)',
  'social account',
  'scope',
]

/** Patterns for English terms that texts use only as the glossary defines them. */
const patterns: Record<string, RegExp> = {
  password: /\bpasswords?\b/i,
  username: /\busernames?\b/i,
  account: /\baccounts?\b/i,
  'verification code': /\bverification code\b/i,
  device: /\bdevice\b/i,
  'phone number': /\bphone number\b/i,
  app: /\bapps?\b/i,
  connector: /\bconnectors?\b/i,
}

/** The keys of texts that deliberately use a different word, or omit the term. */
const exceptions: Partial<Record<BuiltInLanguage, string[]>> = {}

const others = builtInLanguages.filter((language) => language !== 'en')

/** Returns the accepted words for each glossary term. */
function glossaryOf(language: BuiltInLanguage): Map<string, string[]> {
  const lines = readFileSync(`docs/glossary/${language}.md`, 'utf8').split('\n')
  const rows = lines
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return new Map(
    rows
      .slice(2)
      .map(([, term = '', words = '']) => [term, words.replaceAll(/\(.*?\)/g, '').split(/[,،、]/)]),
  )
}

it.each(others)('the glossary defines every term and the form of address in %s', (language) => {
  expect(existsSync(`docs/glossary/${language}.md`)).toBe(true)
  const glossary = glossaryOf(language)
  expect(terms.filter((term) => !glossary.get(term)?.[0])).toEqual([])
  expect(readFileSync(`docs/glossary/${language}.md`, 'utf8')).toMatch(/^(?:Address|Buttons): /m)
})

describe.each(others)('the strings in %s', (language) => {
  const glossary = glossaryOf(language)
  const ownTexts = new Map(texts(phraseCatalogues[language]))

  it.each(Object.entries(patterns))('use the glossary’s word for %s', (term, pattern) => {
    // Texts for users call a connector a provider.
    const words = [term, ...(term === 'connector' ? ['provider'] : [])]
      .flatMap((name) => glossary.get(name) ?? [])
      .map(stemsOf)
    const wrong = texts(phraseCatalogues.en)
      .filter(([, text]) => pattern.test(text.replaceAll(/\{\{.*?\}\}/g, '')))
      .filter(([key]) => !exceptions[language]?.includes(key))
      .map(([key]) => [key, ownTexts.get(key) ?? ''] as const)
      .filter(([, text]) => !words.some((stems) => stems.every((stem) => plain(text).includes(stem))))
    expect(wrong).toEqual([])
  })
})

// The excluded words must not appear on pages, in the account centre or in messages.
it.each([
  { language: 'zh-CN', excluded: ['账户', '帐号'] },
  { language: 'zh-TW', excluded: ['帳戶', '賬戶'] },
  { language: 'zh-HK', excluded: ['帳號'] },
  { language: 'hi', excluded: ['अकाउंट'] },
])('the texts in $language use a single word for account', ({ language, excluded }) => {
  const row = readFileSync(`docs/glossary/${language}.md`, 'utf8').match(/^\| account .*$/m)?.[0]
  for (const word of excluded) expect(row?.replace(/^.*not /, '')).toContain(word)
  const written = ['', 'account/', 'messages/'].map((folder) =>
    readFileSync(`locales/${folder}${language}.json`, 'utf8'),
  )
  expect(excluded.filter((word) => written.join().includes(word))).toEqual([])
})

/** Returns the beginning of each word, without diacritics, as a stem that is unaffected by inflection. */
function stemsOf(word: string): string[] {
  const parts = plain(word)
    .trim()
    .split(/[\s’-]+/)
  return parts.map((part) => {
    const letters = [...part.replace(/^ال/, '')]
    return letters.slice(0, Math.max(2, Math.ceil(letters.length * 0.6))).join('')
  })
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f\u064b-\u0652]/g, '')
    .toLowerCase()

function texts(part: Phrases, path = ''): [key: string, text: string][] {
  return Object.entries(part).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : texts(value, `${path}${name}.`),
  )
}
