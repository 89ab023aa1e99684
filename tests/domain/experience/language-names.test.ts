import { describe, expect, it } from 'vitest'
import { knownLanguages } from '../../../src/contract/experience/known-languages.ts'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import { languageNames } from '../../../src/domain/experience/language-names.ts'
import { toStandardTag } from '../../../src/domain/experience/standard-tag.ts'

const nameAmong = (tag: string, offered: readonly string[]) =>
  languageNames(offered).find((language) => language.tag === tag)?.name

it('the built-in languages are listed by their native names in alphabetical order', () => {
  expect(languageNames(builtInLanguages).map(({ tag, name }) => `${tag} ${name}`)).toMatchInlineSnapshot(`
    [
      "id Bahasa Indonesia",
      "cs Čeština",
      "da Dansk",
      "de Deutsch",
      "en English",
      "es Español",
      "fr Français",
      "it Italiano",
      "hu Magyar",
      "nl Nederlands",
      "nb Norsk bokmål",
      "pl Polski",
      "pt-BR Português (Brasil)",
      "pt-PT Português (Portugal)",
      "ro Română",
      "fi Suomi",
      "sv Svenska",
      "vi Tiếng Việt",
      "tr-TR Türkçe",
      "el Ελληνικά",
      "ru Русский",
      "uk Українська",
      "he עברית",
      "ar العربية",
      "fa فارسی",
      "hi हिन्दी",
      "th ไทย",
      "ko 한국어",
      "ja 日本語",
      "zh-CN 简体中文",
      "zh-TW 繁體中文",
      "zh-HK 繁體中文（香港）",
    ]
  `)
})

describe('the region in a language’s name', () => {
  it.each([
    { tag: 'pt-BR', offered: ['en', 'pt-BR'], name: 'Português' },
    { tag: 'de', offered: ['de', 'de-DE'], name: 'Deutsch' },
    { tag: 'de-DE', offered: ['de', 'de-DE'], name: 'Deutsch (Deutschland)' },
    { tag: 'fr-CA', offered: ['fr', 'fr-CA'], name: 'Français (Canada)' },
    { tag: 'en-GB', offered: ['en', 'en-GB'], name: 'English (United Kingdom)' },
    { tag: 'es-419', offered: ['es-419', 'es-ES'], name: 'Español (Latinoamérica)' },
    { tag: 'nl-BE', offered: ['nl-BE'], name: 'Nederlands' },
    { tag: 'nl-BE', offered: ['nl-BE', 'nl-NL'], name: 'Nederlands (België)' },
    { tag: 'zh-HK', offered: ['zh-CN', 'zh-HK', 'zh-TW'], name: '繁體中文（香港）' },
  ])('appears only if two languages share a name: $tag in $offered is $name', ({ tag, offered, name }) => {
    expect(nameAmong(tag, offered)).toBe(name)
  })
})

describe('every language that an operator may add (spec/experience#known-languages)', () => {
  const all = languageNames(knownLanguages)

  it('has a unique name', () => {
    expect(all).toHaveLength(123)
    expect(new Set(all.map(({ name }) => name)).size).toBe(123)
  })

  it('has a native name instead of a code, an English name or a country', () => {
    const english = new Intl.DisplayNames('en', { type: 'language' })
    const isEnglish = ({ tag, name }: { tag: string; name: string }) =>
      name === english.of(toStandardTag(tag).split('-')[0] ?? tag)
    // The English names of these languages equal their native names.
    const sameInEnglish = ['af-ZA', 'cx-PH', 'en', 'eo-EO', 'ha-NG', 'mg-MG', 'tl-PH']
    expect(
      all
        .filter(isEnglish)
        .map(({ tag }) => tag)
        .filter((tag) => !sameInEnglish.includes(tag)),
    ).toEqual([])
    expect(all.filter(({ name }) => /^[a-z]{2,3}\b(?! )|\b[A-Z]{2}\b|Argentin|الأرجنتين/.test(name))).toEqual(
      [],
    )
  })

  it('has a capitalized name if its script has capital letters', () => {
    expect(all.filter(({ name }) => /^\p{Ll}/u.test(name)).map(({ name }) => name)).toEqual(['ქართული'])
  })

  it.each([
    ['cb-IQ', 'کوردیی ناوەندی'],
    ['cx-PH', 'Cebuano'],
    ['ja-KS', '日本語（関西弁）'],
    ['sy-SY', 'ܣܘܪܝܝܐ'],
    ['sz-PL', 'Ślōnskŏ gŏdka'],
    ['tz-MA', 'Tamaziɣt'],
    ['zz-TR', 'Zazaki'],
    ['ht-HT', 'Kreyòl ayisyen'],
    ['ar-AR', 'العربية'],
    ['id-ID', 'Bahasa Indonesia'],
    ['vi-VN', 'Tiếng Việt'],
  ])('is listed by its native name: %s is %s', (tag, name) => {
    expect(nameAmong(tag, knownLanguages)).toBe(name)
  })

  it('has a standard tag that browsers and screen readers support', () => {
    const unknownSubtags = /^(?:cb|cx|sy|sz|tz|zz)-|-(?:EO|KS)$|^ar-AR$/
    expect(knownLanguages.filter((tag) => unknownSubtags.test(tag))).toHaveLength(9)
    expect(knownLanguages.map(toStandardTag).filter((tag) => unknownSubtags.test(tag))).toEqual([])
    expect(
      knownLanguages.map(toStandardTag).filter((tag) => !Intl.getCanonicalLocales(tag).includes(tag)),
    ).toEqual([])
  })
})

it('languages are in alphabetical order regardless of accents and case', () => {
  const tags = languageNames(['co-FR', 'cs-CZ', 'cy-GB', 'iu-CA', 'ik-US', 'it', 'is-IS']).map(
    ({ tag }) => tag,
  )
  expect(tags).toEqual(['cs-CZ', 'co-FR', 'cy-GB', 'ik-US', 'is-IS', 'it', 'iu-CA'])
})

it('a language lists its standard tag only if that differs from our own tag', () => {
  expect(languageNames(['tl-PH', 'de'])).toEqual([
    { tag: 'de', name: 'Deutsch' },
    { tag: 'tl-PH', name: 'Filipino', lang: 'fil-PH' },
  ])
})
