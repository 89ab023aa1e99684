import { describe, expect, it } from 'vitest'
import { LanguageTag } from '../../../src/contract/experience/custom-phrases.schema.ts'
import { knownLanguages } from '../../../src/contract/experience/known-languages.ts'
import { languageCodes } from '../../../src/contract/experience/language-codes.ts'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'

describe('language tags: "Language tags must be known codes"', () => {
  it.each([...knownLanguages, ...builtInLanguages])('%s is known', (tag) => {
    expect(LanguageTag.safeParse(tag).success).toBe(true)
  })

  it.each(['ar', 'sr-Latn', 'zh-Hant-TW', 'de-XK', 'en-001'])(
    '%s has a known language, script and region',
    (tag) => {
      expect(LanguageTag.safeParse(tag).success).toBe(true)
    },
  )

  it.each([
    ...['de-Abcd', 'de-Zzzz', 'de-Zyyy', 'de-Zinh', 'de-Zxxx', 'de-Qaag', 'de-Abcd-DE'],
    ...['en-XA', 'en-XB', 'en-QO', 'en-EU', 'en-EZ', 'en-UN', 'de-Latn-EU'],
  ])('%s has no known script or region', (tag) => {
    expect(LanguageTag.safeParse(tag).error?.issues[0]?.message).toBe('is not a known language tag')
  })

  it.each(['xx-YY', 'xx', 'de-YY', 'en-ZZ', 'es-000', 'DE', 'de_AT', 'iw', ''])('%s is not known', (tag) => {
    expect(LanguageTag.safeParse(tag).error?.issues[0]?.message).toBe('is not a known language tag')
  })

  it('name languages that CLDR names', () => {
    const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
    expect([...languageCodes].filter((code) => !names.of(code))).toEqual([])
    expect(languageCodes.size).toBeGreaterThan(600)
  })
})
