import { describe, expect, it } from 'vitest'
import englishCatalogue from '../../../locales/en.json'
import polish from '../../../locales/pl.json'
import { knownLanguages } from '../../../src/contract/experience/known-languages.ts'
import type { Phrases } from '../../../src/contract/interactions/boot.ts'
import {
  cleanPhrases,
  findUnknownPhrase,
  mergePhrases,
  pluralCategories,
  pluralPhrases,
} from '../../../src/domain/experience/phrases.ts'
import { translatorFor } from '../../../src/domain/experience/translator.ts'

const english = { input: { username: 'Username', password: 'Password' }, action: { go: 'Go' } }

describe("an operator's phrases", () => {
  it.each([
    { phrases: { input: { username: '', password: 'Secret' } }, expected: { input: { password: 'Secret' } } },
    // The pages no longer have this phrase.
    {
      phrases: { vestibule: { password_hint: 'Hint' }, action: { go: 'On' } },
      expected: { action: { go: 'On' } },
    },
    { phrases: { input: { username: '' }, action: {} }, expected: {} },
    { phrases: { input: { deeper: { still: '' } } }, expected: {} },
    {
      phrases: { input: null, action: { go: null }, list: ['', 'a'], count: 7 },
      expected: { list: { 1: 'a' } },
    },
  ])('are stored without empty phrases: $phrases', ({ phrases, expected }) => {
    expect(cleanPhrases(phrases)).toEqual(expected)
  })

  it.each([
    { phrases: {}, unknown: null },
    { phrases: { input: { username: 'Name' } }, unknown: null },
    { phrases: { input: {} }, unknown: null },
    { phrases: { inputs: { username: 'Name' } }, unknown: 'inputs' },
    { phrases: { input: { name: 'Name' } }, unknown: 'input.name' },
    { phrases: { input: 'Name' }, unknown: 'input' },
    { phrases: { input: { username: { short: 'Name' } } }, unknown: 'input.username' },
    { phrases: { action: { go: 'Go' }, toString: 'x' }, unknown: 'toString' },
    { phrases: JSON.parse('{"__proto__": {"polluted": "yes"}}'), unknown: '__proto__' },
  ])('are checked for keys that do not exist in English: $unknown', ({ phrases, unknown }) => {
    expect(findUnknownPhrase(phrases, english, 'de')).toBe(unknown)
  })

  it('replace individual built-in phrases', () => {
    expect(mergePhrases(english, { input: { username: 'Your name' } })).toEqual({
      input: { username: 'Your name', password: 'Password' },
      action: { go: 'Go' },
    })
    expect(english.input.username).toBe('Username')
  })

  it('are ignored if their key no longer exists', () => {
    expect(mergePhrases(english, { input: 'Name', action: { go: { on: 'x' } }, old: { key: 'x' } })).toEqual(
      english,
    )
  })
})

describe("the plural forms of an operator's phrases (spec/experience#plural-forms)", () => {
  const { translation } = englishCatalogue
  const key = 'factor_few_codes'
  const form = (name: string) => ({ vestibule: { [name]: 'x' } })

  it('exist for the phrases that have the forms one and other in English', () => {
    const named = Object.keys(translation.vestibule).filter((name) => name.endsWith('_one'))
    expect(named.map((name) => name.slice(0, -'_one'.length))).toEqual([...pluralPhrases])
  })

  it.each([
    { language: 'de', forms: ['one', 'other', 'zero'], unknown: ['two', 'few', 'many', 'more'] },
    { language: 'pl', forms: ['one', 'few', 'many', 'other', 'zero'], unknown: ['two'] },
    { language: 'ar-AR', forms: ['zero', 'one', 'two', 'few', 'many', 'other'], unknown: [] },
    { language: 'ja', forms: ['one', 'other', 'zero'], unknown: ['two', 'few', 'many'] },
    { language: 'sr-Latn', forms: ['one', 'few', 'other', 'zero'], unknown: ['two', 'many'] },
  ])('may have the plural categories of $language, or none', ({ language, forms, unknown }) => {
    const accepted = ['', ...forms.map((category) => `_${category}`)].map((suffix) => form(key + suffix))
    for (const phrases of accepted) expect(findUnknownPhrase(phrases, translation, language)).toBeNull()
    for (const category of unknown)
      expect(findUnknownPhrase(form(`${key}_${category}`), translation, language)).toBe(
        `vestibule.${key}_${category}`,
      )
    expect(findUnknownPhrase({ action: { [`${key}_one`]: 'x' } }, translation, language)).toBe(
      `action.${key}_one`,
    )
    expect(findUnknownPhrase({ vestibule: { factor_one: 'x' } }, translation, language)).toBe(
      'vestibule.factor_one',
    )
  })

  it('are known for every language that an operator may add', () => {
    expect(knownLanguages.filter((tag) => !pluralCategories(tag).includes('other'))).toEqual([])
  })

  const countsIn = (base: Phrases, custom: Record<string, string>) => {
    const t = translatorFor(mergePhrases(base, { vestibule: custom }), { language: 'pl' })
    return [1, 2, 5].map((count) => t(`vestibule.${key}`, { count }))
  }

  it('replace the built-in forms one by one', () => {
    const [one, , many] = countsIn(polish.translation, {})
    expect(countsIn(polish.translation, { [`${key}_few`]: 'Kody: {{count}}' })).toEqual([
      one,
      'Kody: 2',
      many,
    ])
    expect(countsIn(polish.translation, { [`${key}_other`]: 'never for whole numbers' })).toEqual(
      countsIn(polish.translation, {}),
    )
  })

  it('can include forms that the built-in phrases lack', () => {
    const [one, , other] = countsIn(translation, {})
    expect(countsIn(translation, { [`${key}_few`]: 'Kody: {{count}}' })).toEqual([one, 'Kody: 2', other])
  })

  it('are all replaced by a phrase without a plural category, such as one stored by an older version', () => {
    const text = 'Kody: {{count}}'
    expect(countsIn(polish.translation, { [key]: text })).toEqual(['Kody: 1', 'Kody: 2', 'Kody: 5'])
    expect(countsIn(polish.translation, { [key]: text, [`${key}_one`]: 'Jeden kod' })).toEqual([
      'Jeden kod',
      'Kody: 2',
      'Kody: 5',
    ])
  })
})
