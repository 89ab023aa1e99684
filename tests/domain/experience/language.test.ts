import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import { chooseLanguage, parseAcceptLanguage } from '../../../src/domain/experience/language.ts'

const available: readonly string[] = builtInLanguages
const choose = (...requested: string[]) => chooseLanguage({ requested, available, fallback: 'en' })

describe('choosing a language', () => {
  it.each([
    { requested: 'de', tag: 'de' },
    { requested: 'de-AT', tag: 'de' },
    { requested: 'DE-at', tag: 'de' },
    { requested: 'en-US', tag: 'en' },
    { requested: 'fr-CA', tag: 'fr' },
    { requested: 'FR-fr', tag: 'fr' },
    { requested: 'ko-KR', tag: 'ko' },
    { requested: 'ko-Kore-KP', tag: 'ko' },
    { requested: 'ru-RU', tag: 'ru' },
    { requested: 'ru-KZ-u-ca-gregory', tag: 'ru' },
    { requested: 'de-DE-u-co-phonebk', tag: 'de' },
    { requested: 'pt', tag: 'pt-PT' },
    { requested: 'pt-AO', tag: 'pt-PT' },
    { requested: 'pt-br', tag: 'pt-BR' },
    { requested: 'PT-PT', tag: 'pt-PT' },
    { requested: 'pt-BR-abl1943', tag: 'pt-BR' },
    { requested: 'tr', tag: 'tr-TR' },
    { requested: 'tr-CY', tag: 'tr-TR' },
    { requested: 'zh', tag: 'zh-CN' },
    { requested: 'zh-cn', tag: 'zh-CN' },
    { requested: 'zh-Hans-CN', tag: 'zh-CN' },
    { requested: 'zh-SG', tag: 'zh-CN' },
    { requested: 'zh-Hans', tag: 'zh-CN' },
    { requested: 'zh-Hans-SG', tag: 'zh-CN' },
    { requested: 'zh-Hans-HK', tag: 'zh-CN' },
    { requested: 'zh-HK', tag: 'zh-HK' },
    { requested: 'zh-MO', tag: 'zh-TW' },
    { requested: 'zh-Hant', tag: 'zh-TW' },
    { requested: 'es-419', tag: 'es' },
    { requested: 'ar-EG', tag: 'ar' },
    // Deprecated language codes, and the two written forms of Norwegian.
    { requested: 'iw-IL', tag: 'he' },
    { requested: 'in', tag: 'id' },
    { requested: 'no', tag: 'nb' },
    { requested: 'nn-NO', tag: 'nb' },
  ])('selects $tag for $requested', ({ requested, tag }) => {
    expect(choose(requested)).toBe(tag)
  })

  it.each(['zh-TW', 'zh-HK', 'zh-MO', 'zh-Hant', 'zh-Hant-TW', 'zh-hant-cn', 'tlh', 'nonsense!', '', '*'])(
    'selects the fallback for "%s"',
    (requested) => {
      const withoutTraditional = available.filter((tag) => !/^zh-(?:TW|HK)$/.test(tag))
      const choice = { requested: [requested], available: withoutTraditional, fallback: 'ru' }
      expect(chooseLanguage(choice)).toBe('ru')
    },
  )

  it('selects the first requested language that is available, not the best match', () => {
    expect(choose('sw', 'fr-CH', 'de')).toBe('fr')
    expect(choose('sw-KE', 'de')).toBe('de')
  })

  it('never selects traditional Chinese if simplified Chinese is requested', () => {
    const languages = ['en', 'zh-TW', 'zh-CN']
    const choose = (requested: string) =>
      chooseLanguage({ requested: [requested], available: languages, fallback: 'en' })
    expect(choose('zh')).toBe('zh-CN')
    expect(choose('zh-SG')).toBe('zh-CN')
    expect(choose('zh-TW')).toBe('zh-TW')
    expect(choose('zh-Hant-HK')).toBe('zh-TW')
  })

  it('drops a single letter together with the subtag that it introduces (RFC 4647 §3.4)', () => {
    const choose = (requested: string, available: string[]) =>
      chooseLanguage({ requested: [requested], available, fallback: 'en' })
    expect(choose('de-u-co', ['de-u', 'de'])).toBe('de')
    expect(choose('de-u-co-phonebk', ['de-u-co', 'de'])).toBe('de-u-co')
  })

  it('prefers the longest match', () => {
    const nested = ['es', 'es-MX', 'en']
    expect(chooseLanguage({ requested: ['es-MX-x-home'], available: nested, fallback: 'en' })).toBe('es-MX')
  })

  it('selects an available language or the fallback for every request', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 40 })), (requested) => {
        expect(available).toContain(choose(...requested))
      }),
    )
  })
})

describe('reading Accept-Language', () => {
  it.each([
    { header: 'de', languages: ['de'] },
    { header: 'fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', languages: ['fr-CH', 'fr', 'en', 'de'] },
    { header: 'en;q=0.5,de;q=0.9,fr', languages: ['fr', 'de', 'en'] },
    { header: 'en;q=0.5,de;q=0.5', languages: ['en', 'de'] },
    { header: ' de ; q = 1.000 , en ; q=.3', languages: ['de', 'en'] },
    { header: 'en;q=0, de;q=0.000, fr;q=0.001', languages: ['fr'] },
    { header: 'en;Q=0.2,de', languages: ['de', 'en'] },
    { header: 'en;q=2, de;q=-1, fr;q=x, ru;q, ko;level=1, tr-TR', languages: ['tr-TR'] },
    { header: ',,;q=1,e,<script>,toolonglanguage,de_AT', languages: [] },
    { header: '', languages: [] },
    { header: undefined, languages: [] },
  ])('parses "$header" as $languages', ({ header, languages }) => {
    expect(parseAcceptLanguage(header)).toEqual(languages)
  })

  it('ignores the end of an excessively long header', () => {
    expect(parseAcceptLanguage(`de,${'en-'.repeat(100_000)}`)).toEqual(['de'])
    expect(parseAcceptLanguage('de;q=0.1,'.repeat(100_000)).length).toBeLessThan(200)
  })

  it('never throws', () => {
    const pieces = fc.array(
      fc.constantFrom('de', 'en-US', ';', 'q', '=', '0.5', ',', ' ', '*', '-', '\u0000'),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map((parts) => parts.join('')),
        ),
        (header) => {
          for (const tag of parseAcceptLanguage(header)) expect(tag).toMatch(/^[A-Za-z\d-]+$/)
        },
      ),
    )
  })
})
