import { describe, expect, it } from 'vitest'
import { chosenLanguage, type LanguageHints, pageLanguage } from '../../src/web/language.ts'

const nothing: LanguageHints = { query: null, cookie: undefined, request: undefined, browser: null }
const detecting = { autoDetect: true, fallbackLanguage: 'en' }

describe('the language of a page', () => {
  it.each([
    { from: 'the address, before all', hints: { query: 'de', cookie: 'en', request: 'en', browser: 'en' } },
    { from: 'the cookie, before the request', hints: { cookie: 'de', request: 'en', browser: 'en' } },
    { from: 'the request, before the browser', hints: { request: 'de', browser: 'en' } },
    { from: 'the first ui_locale we speak', hints: { request: 'xx de-AT en', browser: 'en' } },
    { from: 'the browser', hints: { browser: 'xx, de-CH;q=0.9, en;q=0.8' } },
    { from: 'what the browser likes best', hints: { browser: 'en;q=0.5, de' } },
    {
      from: 'the next hint, if one is nonsense',
      hints: { query: '<script>', cookie: '../../en', browser: 'de' },
    },
  ])('comes from $from', ({ hints }) => {
    expect(pageLanguage({ ...nothing, ...hints }, detecting)).toBe('de')
  })

  it('is the fallback when nobody asks for one we speak', () => {
    expect(pageLanguage({ ...nothing, browser: 'xx' }, { autoDetect: true, fallbackLanguage: 'de' })).toBe(
      'de',
    )
  })

  it('is English when the fallback has no catalogue', () => {
    expect(pageLanguage(nothing, { autoDetect: true, fallbackLanguage: 'eo-EO' })).toBe('en')
  })

  it('with detection off is only chosen in the address', () => {
    const fixed = { autoDetect: false, fallbackLanguage: 'en' }
    expect(pageLanguage({ ...nothing, cookie: 'de', request: 'de', browser: 'de' }, fixed)).toBe('en')
    expect(pageLanguage({ ...nothing, query: 'de' }, fixed)).toBe('de')
  })
})

describe('a language to be remembered', () => {
  it.each([
    { query: 'de-AT', autoDetect: true, chosen: 'de' },
    { query: 'DE', autoDetect: true, chosen: 'de' },
    { query: 'de', autoDetect: false, chosen: null },
    { query: 'fr', autoDetect: true, chosen: null },
    { query: '', autoDetect: true, chosen: null },
    { query: null, autoDetect: true, chosen: null },
  ])('is $chosen for "$query" with detection $autoDetect', ({ query, autoDetect, chosen }) => {
    expect(chosenLanguage(query, { autoDetect, fallbackLanguage: 'en' })).toBe(chosen)
  })
})
