import { describe, expect, it } from 'vitest'
import { knownLanguages } from '../../../src/contract/experience/known-languages.ts'
import { toStandardTag } from '../../../src/domain/experience/standard-tag.ts'
import { translatorFor } from '../../../src/domain/experience/translator.ts'

/** Returns the text of a phrase with the given values. */
function textOf(phrase: string, values: Record<string, unknown> = {}, language = 'en'): string {
  return translatorFor({ phrase }, { language })('phrase', values)
}

describe('phrase notation (spec/experience#phrase-values)', () => {
  it.each([
    { of: 'nesting', phrase: '$t(other) $t(other, {"count": 1})', text: '$t(other) $t(other, {"count": 1})' },
    { of: 'nesting with a value', phrase: '$t({{name}})', text: '$t(other)' },
    { of: 'unescaped values', phrase: 'a {{- name}}.', text: 'a .' },
    { of: 'numbers', phrase: '{{size, number}}', text: '1234.5' },
    { of: 'currencies', phrase: '{{size, currency(USD)}}', text: '1234.5' },
    { of: 'dates', phrase: '{{size, datetime}}', text: '1234.5' },
    { of: 'relative times', phrase: '{{size, relativetime(day)}}', text: '1234.5' },
    { of: 'unknown formats', phrase: '{{name, shout}}', text: 'other' },
    { of: 'lists of what is no list', phrase: '{{name, list(type: disjunction;)}}', text: 'other' },
    { of: 'inherited properties', phrase: '[{{constructor}}{{toString}}{{__proto__}}]', text: '[]' },
    { of: 'missing values', phrase: '[{{none}}{{nothing}}]', text: '[]' },
  ])('has no $of', ({ phrase, text }) => {
    const t = translatorFor({ phrase, other: 'never' }, { language: 'en' })
    expect(t('phrase', { name: 'other', size: 1234.5, nothing: null })).toBe(text)
  })

  it.each(['{{name}}', '$t(other)', '{{- name}}', '$&', '<b>"&\'', '{{name, list}} {{'])(
    'inserts the value %s as text',
    (name) => {
      expect(textOf('a {{name}} and {{ name }} b', { name })).toBe(`a ${name} and ${name} b`)
    },
  )

  it('does not read i18next options from a phrase’s values', () => {
    const options = {
      lng: 'de',
      ns: 'x',
      context: 'x',
      count: 'x',
      defaultValue: 'x',
      keyPrefix: 'x',
      postProcess: 'x',
      interpolation: { prefix: '[' },
    }
    expect(textOf('{{lng}} {{context}} {{count}} [name]', options)).toBe('de x x [name]')
  })
})

describe('plural forms (spec/experience#plural-forms)', () => {
  const forms = (categories: string[]) =>
    Object.fromEntries(categories.map((category) => [`minutes_${category}`, `${category} {{count}}`]))
  const all = forms(['zero', 'one', 'two', 'few', 'many', 'other'])

  it.each([
    { language: 'en', texts: ['zero 0', 'one 1', 'other 2', 'other 3', 'other 11', 'other 1.5'] },
    { language: 'pl', texts: ['zero 0', 'one 1', 'few 2', 'few 3', 'many 11', 'other 1.5'] },
    { language: 'ar', texts: ['zero 0', 'one 1', 'two 2', 'few 3', 'many 11', 'other 1.5'] },
    { language: 'fr', texts: ['zero 0', 'one 1', 'other 2', 'other 3', 'other 11', 'one 1.5'] },
    { language: 'ja', texts: ['zero 0', 'other 1', 'other 2', 'other 3', 'other 11', 'other 1.5'] },
  ])('match the rules of $language', ({ language, texts }) => {
    const t = translatorFor(all, { language })
    expect([0, 1, 2, 3, 11, 1.5].map((count) => t('minutes', { count }))).toEqual(texts)
  })

  it('fall back to a phrase for all numbers, and then to the form for other', () => {
    const counts = (phrases: Record<string, string>) =>
      [1, 2].map((count) => translatorFor(phrases, { language: 'pl' })('minutes', { count }))
    expect(counts(forms(['one', 'other']))).toEqual(['one 1', 'other 2'])
    expect(counts({ ...forms(['other']), minutes: 'all {{count}}' })).toEqual(['all 1', 'all 2'])
  })

  it('match the rules of English for a language that Intl does not support', () => {
    expect(Intl.PluralRules.supportedLocalesOf('zza-TR')).toEqual([])
    const t = translatorFor(all, { language: 'zza-TR' })
    expect([1, 2].map((count) => t('minutes', { count }))).toEqual(['one 1', 'other 2'])
  })

  it('are chosen only if the count is a number', () => {
    const t = translatorFor({ ...forms(['one', 'other']), minutes: 'all {{count}}' }, { language: 'en' })
    expect(['1', null, undefined].map((count) => t('minutes', { count }))).toEqual(['all 1', 'all ', 'all '])
  })
})

describe('a translator', () => {
  it('returns the key if the phrase is missing or is a group', () => {
    const t = translatorFor({ group: { phrase: 'text' } }, { language: 'en' })
    const keys = ['group', 'none', 'group.none', 'group.phrase.none', 'constructor.name', 'other:phrase']
    expect(keys.map((key) => t(key))).toEqual(keys)
    expect(t('group.phrase')).toBe('text')
  })

  it('is reused for the same phrases and the latest four languages, but not for another language', () => {
    const phrases = { phrase: '{{types, list(type: conjunction;)}}' }
    const [english, german] = ['en', 'de'].map((language) => translatorFor(phrases, { language }))
    const types = ['a', 'b']
    expect([english?.('phrase', { types }), german?.('phrase', { types })]).toEqual(['a and b', 'a und b'])
    const again = ['en', 'de'].map((language) => translatorFor(phrases, { language }))
    expect(again).toEqual([english, german])
    for (const language of ['sv', 'da', 'nb', 'fi']) translatorFor(phrases, { language })
    expect(translatorFor(phrases, { language: 'de' })).not.toBe(german)
    expect(translatorFor({ ...phrases }, { language: 'de' })).not.toBe(german)
  })

  it('keeps no values from earlier calls', () => {
    const t = translatorFor({ phrase: '[{{name}}]', list: '[{{names, list}}]' }, { language: 'en' })
    expect([t('phrase', { name: 'Ada' }), t('list', { names: ['Ada'] })]).toEqual(['[Ada]', '[Ada]'])
    expect([t('phrase'), t('list')]).toEqual(['[]', '[]'])
  })

  it('finds the phrases in every language that an operator may add', () => {
    const tags = knownLanguages.flatMap((tag) => [tag, toStandardTag(tag)])
    expect(tags.length).toBeGreaterThan(200)
    expect(tags.filter((tag) => textOf('found', {}, tag) !== 'found')).toEqual([])
  })

  it('passes every value through the given function after formatting it', () => {
    const t = translatorFor(
      { phrase: '{{names, list}} {{none}}' },
      { language: 'en', wrapValue: (text) => `[${text}]` },
    )
    expect(t('phrase', { names: ['a', 'b'] })).toBe('[a and b] []')
  })
})
