import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/contract/catalogue.ts'
import { type ErrorCode, errorCatalogue } from '../../src/contract/errors.ts'
import { builtInLanguages } from '../../src/contract/experience/languages.ts'
import { findPhrase, refusalMessage } from '../../src/domain/messages.ts'

const catalogue = {
  translation: {},
  errors: {
    request: { too_many_requests: 'Wait {{ retryAfter }} s, {{name}}.{{missing}}' },
    user: { missing_profile: 'Missing: {{missingProfile}}' },
  },
}

describe('an error message', () => {
  it.each([
    {
      code: 'request.too_many_requests',
      data: { retryAfter: 59, name: '<b>{{x}}</b>' },
      text: 'Wait 59 s, <b>{{x}}</b>.',
    },
    { code: 'request.too_many_requests', data: undefined, text: 'Wait  s, .' },
    {
      code: 'user.missing_profile',
      data: { missingProfile: ['email', 'phone'] },
      text: 'Missing: email, phone',
    },
    { code: 'user.suspended', data: {}, text: 'user.suspended' },
  ] as const)('is "$text" for $code', ({ code, data, text }) => {
    expect(refusalMessage({ catalogue, language: 'en' }, code, data)).toBe(text)
  })

  it('is never taken from inherited properties', () => {
    expect(findPhrase({}, 'constructor.name')).toBeUndefined()
    expect(findPhrase({ a: 'b' }, 'a.length')).toBeUndefined()
  })

  it.each(builtInLanguages)('exists in %s for every code', async (language) => {
    const { errors: texts } = await loadCatalogue(language)
    const missing = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => !findPhrase(texts, code))
    expect(missing).toEqual([])
  })

  it('is English for a language without a catalogue', async () => {
    expect(await loadCatalogue('eo-EO')).toBe(await loadCatalogue('en'))
  })
})
