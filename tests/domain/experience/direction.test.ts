import { describe, expect, it } from 'vitest'
import { knownLanguages } from '../../../src/contract/experience/known-languages.ts'
import { textDirection } from '../../../src/domain/experience/direction.ts'

describe('the reading direction', () => {
  it.each([
    { language: 'ar-AR', expected: 'rtl' },
    { language: 'he-IL', expected: 'rtl' },
    { language: 'fa-IR', expected: 'rtl' },
    { language: 'arc', expected: 'ltr' },
    { language: 'de', expected: 'ltr' },
    { language: 'ar', expected: 'rtl' },
    { language: 'az-Arab', expected: 'rtl' },
    { language: 'sd-Deva', expected: 'ltr' },
    { language: 'ar-Latn-EG', expected: 'ltr' },
  ])('is $expected for $language', ({ language, expected }) => {
    expect(textDirection(language)).toBe(expected)
  })

  it('is right-to-left for seven of the languages that an operator may add', () => {
    expect(knownLanguages.filter((tag) => textDirection(tag) === 'rtl')).toEqual([
      'ar-AR',
      'cb-IQ',
      'fa-IR',
      'he-IL',
      'ps-AF',
      'sy-SY',
      'ur-PK',
    ])
  })
})
