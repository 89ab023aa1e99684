import { describe, expect, it } from 'vitest'
import { LanguageTag } from '../../../src/contract/experience/custom-phrases.schema.ts'
import { knownLanguages } from '../../../src/contract/experience/known-languages.ts'
import { languageCodes } from '../../../src/contract/experience/language-codes.ts'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'

describe('language tags: "Language tags must be known codes"', () => {
  it.each([...knownLanguages, ...builtInLanguages])('%s is known', (tag) => {
    expect(LanguageTag.safeParse(tag).success).toBe(true)
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
