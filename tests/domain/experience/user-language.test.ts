import { describe, expect, it } from 'vitest'
import type { LanguageInfo } from '../../../src/contract/experience/experience.ts'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import {
  chosenLanguage,
  type LanguageHints,
  userLanguage,
} from '../../../src/domain/experience/user-language.ts'

const nothing: LanguageHints = { query: null, cookie: undefined, request: [], browser: null }
const languageOf = (hints: LanguageHints, info: LanguageInfo, custom: readonly string[] = []) =>
  userLanguage(hints, info, [...builtInLanguages, ...custom])
const detecting = { autoDetect: true, fallbackLanguage: 'en' }

describe('a page’s language', () => {
  it.each([
    {
      source: 'the URL before any other source',
      hints: { query: 'de', cookie: 'en', request: ['en'], browser: 'en' },
    },
    { source: 'the cookie before the request', hints: { cookie: 'de', request: ['en'], browser: 'en' } },
    { source: 'the request before the browser', hints: { request: ['de'], browser: 'en' } },
    {
      source: 'the first available value in ui_locales',
      hints: { request: ['xx', 'de-AT', 'en'], browser: 'en' },
    },
    { source: 'the browser', hints: { browser: 'xx, de-CH;q=0.9, en;q=0.8' } },
    { source: 'the preferred language of the browser', hints: { browser: 'en;q=0.5, de' } },
    {
      source: 'the next source if one is invalid',
      hints: { query: '<script>', cookie: '../../en', browser: 'de' },
    },
  ])('comes from $source', ({ hints }) => {
    expect(languageOf({ ...nothing, ...hints }, detecting)).toBe('de')
  })

  it('is the fallback if no requested language is available', () => {
    expect(languageOf({ ...nothing, browser: 'xx' }, { autoDetect: true, fallbackLanguage: 'de' })).toBe('de')
  })

  it('is English if the fallback has no catalogue', () => {
    expect(languageOf(nothing, { autoDetect: true, fallbackLanguage: 'eo-EO' })).toBe('en')
  })

  it('can be selected only in the URL while detection is off', () => {
    const fixed = { autoDetect: false, fallbackLanguage: 'en' }
    expect(languageOf({ ...nothing, cookie: 'de', request: ['de'], browser: 'de' }, fixed)).toBe('en')
    expect(languageOf({ ...nothing, query: 'de' }, fixed)).toBe('de')
  })

  it('can be a language that the operator has added', () => {
    const custom = ['ca-ES', 'eo-EO']
    expect(languageOf({ ...nothing, browser: 'ca' }, detecting, custom)).toBe('ca-ES')
    expect(languageOf({ ...nothing, cookie: 'EO-eo', browser: 'de' }, detecting, custom)).toBe('eo-EO')
    expect(languageOf(nothing, { autoDetect: false, fallbackLanguage: 'eo-EO' }, custom)).toBe('eo-EO')
  })

  it('is a built-in language if an added language matches equally well', () => {
    expect(languageOf({ ...nothing, browser: 'de' }, detecting, ['de-DE'])).toBe('de')
    expect(languageOf({ ...nothing, browser: 'de-DE' }, detecting, ['de-DE'])).toBe('de-DE')
  })
})

describe('the language cookie', () => {
  it.each([
    { query: 'de-AT', autoDetect: true, expected: 'de' },
    { query: 'DE', autoDetect: true, expected: 'de' },
    { query: 'de', autoDetect: false, expected: null },
    { query: 'fr', autoDetect: true, expected: null },
    { query: '', autoDetect: true, expected: null },
    { query: null, autoDetect: true, expected: null },
  ])(
    'stores $expected for "$query" in the URL if detection is $autoDetect',
    ({ query, autoDetect, expected }) => {
      expect(chosenLanguage(query, { autoDetect }, ['en', 'de'])).toBe(expected)
    },
  )
})
