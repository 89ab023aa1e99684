import { describe, expect, it } from 'vitest'
import { UserProfile, UserProfilePatch } from '../../../src/contract/users/user-profile.schema.ts'

const problemOf = (input: unknown) => {
  const [issue] = UserProfilePatch.safeParse(input).error?.issues ?? []
  return issue && `${issue.path.join('.')}: ${issue.message}`
}

describe('standard claims (spec/accounts#profile)', () => {
  it.each([
    { birthdate: '1990' },
    { birthdate: '1990-05-17' },
    { birthdate: '0000-02-29' },
    { birthdate: '2024-02-29' },
    ...['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC'].map((zoneinfo) => ({
      zoneinfo,
    })),
    ...['de', 'en-US', 'zh-Hant-TW', 'sr-Latn-RS', 'de-1996'].map((locale) => ({ locale })),
    { website: 'https://ann.example/~a?b=c', profile: 'http://example.com/ann' },
    { gender: 'non-binary', givenName: 'Zoë "the"', familyName: "O'Neil" },
    { address: { formatted: '1 Street\nBerlin', country: 'DE' } },
    {},
  ])('can be %o', (input) => {
    expect(UserProfile.parse(input)).toEqual(input)
    expect(UserProfilePatch.parse(input)).toEqual(input)
  })

  it.each([
    ...['0000', '90', '1990-5-17', '1990-13-01', '2023-02-29', '2026-04-31', '1990-05', '17.05.1990'].map(
      (birthdate) => ({ input: { birthdate }, problem: 'birthdate: is not YYYY, YYYY-MM-DD or 0000-MM-DD' }),
    ),
    ...['Europe/Atlantis', '+01:00', 'Berlin', `Europe/${'x'.repeat(30)}`].map((zoneinfo) => ({
      input: { zoneinfo },
      problem: 'zoneinfo: is not the name of an IANA time zone',
    })),
    ...['de_DE', 'German language', 'x', '-'].map((locale) => ({
      input: { locale },
      problem: 'locale: is not a BCP 47 language tag',
    })),
    { input: { givenName: 'x'.repeat(129) }, problem: expect.stringMatching(/^givenName: .*128/) },
    { input: { nickname: 'a\0' }, problem: 'nickname: contains characters that cannot be stored' },
    {
      input: { address: { locality: 'a\0' } },
      problem: expect.stringMatching(/^address.*cannot be stored$/),
    },
    { input: { preferredUsername: 'ann' }, problem: expect.stringContaining('preferredUsername') },
    { input: { address: { planet: 'Earth' } }, problem: expect.stringContaining('planet') },
    { input: { website: 'javascript:alert(1)' }, problem: expect.stringMatching(/^website/) },
  ])('cannot be $input', ({ input, problem }) => {
    expect(problemOf(input)).toEqual(problem)
    expect(UserProfile.safeParse(input).success).toBe(false)
  })

  it('can be removed with an empty string or null', () => {
    expect(
      UserProfilePatch.parse({ givenName: '', locale: null, address: { region: '', country: null } }),
    ).toEqual({ givenName: null, locale: null, address: { region: null, country: null } })
    expect(UserProfilePatch.parse({ address: null })).toEqual({ address: null })
    expect(UserProfile.safeParse({ givenName: null }).success).toBe(false)
  })
})
