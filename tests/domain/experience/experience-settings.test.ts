import { describe, expect, it } from 'vitest'
import type { SignInMethod, SignUp } from '../../../src/contract/experience/experience.ts'
import {
  checkExperiencePatch,
  type ExperiencePatch,
  type InstalledConnectors,
} from '../../../src/domain/experience/experience-settings.ts'

const all: InstalledConnectors = { email: true, phone: true, targets: ['github', 'google'] }
const none: InstalledConnectors = { email: false, phone: false, targets: [] }

const signUp = (changes: Partial<SignUp> = {}): SignUp => ({
  identifiers: ['username'],
  password: true,
  verify: false,
  ...changes,
})
const method = (
  identifier: SignInMethod['identifier'],
  { password = true, verificationCode = false }: Partial<SignInMethod> = {},
): SignInMethod => ({ identifier, password, verificationCode, isPasswordPrimary: true })
const signIn = (...methods: SignInMethod[]) => ({ methods })

const resultOf = (patch: ExperiencePatch, { connectors = all, stored = signUp() } = {}) => {
  const accepted = checkExperiencePatch(patch, { signUp: stored }, { connectors, languages: ['en', 'de'] })
  return 'code' in accepted ? accepted.code.replace('sign_in_experiences.', '') : 'accepted'
}

describe('a patch to the sign-in experience', () => {
  it.each<{
    what: string
    patch: ExperiencePatch
    stored?: SignUp
    connectors?: InstalledConnectors
    expected: string
  }>([
    { what: 'nothing', patch: {}, expected: 'accepted' },
    {
      what: 'an available fallback language',
      patch: { languageInfo: { autoDetect: false, fallbackLanguage: 'de' } },
      expected: 'accepted',
    },
    {
      what: 'a fallback language that is not available',
      patch: { languageInfo: { autoDetect: false, fallbackLanguage: 'fr' } },
      expected: 'unsupported_default_language',
    },

    { what: 'sign-up by username', patch: { signUp: signUp() }, connectors: none, expected: 'accepted' },
    {
      what: 'sign-up by username without a password',
      patch: { signUp: signUp({ password: false }) },
      expected: 'username_requires_password',
    },
    {
      what: 'sign-up with verified email addresses',
      patch: { signUp: signUp({ identifiers: ['email'], verify: true, password: false }) },
      expected: 'accepted',
    },
    {
      what: 'sign-up with unverified email addresses',
      patch: { signUp: signUp({ identifiers: ['email'] }) },
      expected: 'passwordless_requires_verify',
    },
    {
      what: 'sign-up by email without a connector',
      patch: { signUp: signUp({ identifiers: ['email'] }) },
      connectors: { ...all, email: false },
      expected: 'enabled_connector_not_found',
    },
    {
      what: 'sign-up by phone without a connector',
      patch: { signUp: signUp({ identifiers: ['email', 'phone'], verify: true }) },
      connectors: { ...all, phone: false },
      expected: 'enabled_connector_not_found',
    },
    {
      what: 'only a sign-up that no longer fits the stored sign-in',
      patch: { signUp: signUp({ identifiers: ['phone'], verify: true }) },
      expected: 'accepted',
    },
    {
      what: 'sign-up only with social accounts',
      patch: { signUp: signUp({ identifiers: [] }) },
      expected: 'accepted',
    },

    {
      what: 'sign-in by username',
      patch: { signIn: signIn(method('username')) },
      connectors: none,
      expected: 'accepted',
    },
    {
      what: 'sign-in by email with a password',
      patch: { signIn: signIn(method('username'), method('email')) },
      connectors: none,
      expected: 'accepted',
    },
    {
      what: 'sign-in by a code to an address without a connector',
      patch: { signIn: signIn(method('username'), method('email', { verificationCode: true })) },
      connectors: none,
      expected: 'enabled_connector_not_found',
    },
    {
      what: 'a code for a username, which needs no connector',
      patch: { signIn: signIn(method('username', { verificationCode: true })) },
      connectors: none,
      expected: 'accepted',
    },
    {
      what: 'a method without any factor',
      patch: { signIn: signIn(method('username'), method('email', { password: false })) },
      expected: 'at_least_one_authentication_factor',
    },
    {
      what: 'sign-in without the identifier of sign-up',
      patch: { signIn: signIn(method('email')) },
      expected: 'miss_sign_up_identifier_in_sign_in',
    },
    {
      what: 'a method without the password of sign-up',
      patch: {
        signIn: signIn(method('username'), method('email', { password: false, verificationCode: true })),
      },
      expected: 'password_sign_in_must_be_enabled',
    },
    {
      what: 'a password that sign-up does not require',
      patch: { signIn: signIn(method('email')) },
      stored: signUp({ identifiers: ['email'], password: false, verify: true }),
      expected: 'code_sign_in_must_be_enabled',
    },
    {
      what: 'a code instead of a password',
      patch: { signIn: signIn(method('email', { password: false, verificationCode: true })) },
      stored: signUp({ identifiers: ['email'], password: false, verify: true }),
      expected: 'accepted',
    },
    {
      what: 'a username with a password besides codes',
      patch: {
        signIn: signIn(method('username'), method('email', { password: false, verificationCode: true })),
      },
      stored: signUp({ identifiers: ['email'], password: false, verify: true }),
      expected: 'accepted',
    },
    {
      what: 'sign-in methods that match the sign-up in the same patch',
      patch: {
        signUp: signUp({ identifiers: ['email'], verify: true }),
        signIn: signIn(method('email')),
      },
      expected: 'accepted',
    },
  ])('has the result $expected if it contains $what', ({ patch, stored, connectors, expected }) => {
    expect(resultOf(patch, { ...(stored && { stored }), ...(connectors && { connectors }) })).toBe(expected)
  })

  it('keeps the order of social targets', () => {
    const patch = { socialSignInConnectorTargets: ['google', 'github'] }
    expect(checkExperiencePatch(patch, { signUp: signUp() }, { connectors: all, languages: ['en'] })).toEqual(
      patch,
    )
  })

  it.each<{ what: string; patch: ExperiencePatch; path: string }>([
    {
      what: 'a social target that no connector has',
      patch: { socialSignInConnectorTargets: ['google', 'wechat'] },
      path: 'socialSignInConnectorTargets.1',
    },
    ...['http://cdn.example/logo.png', 'https://[::1]/logo.png'].map((logoUrl) => ({
      what: `the logo ${logoUrl}, which the pages' policy blocks`,
      patch: { branding: { logoUrl } },
      path: 'branding.logoUrl',
    })),
    {
      what: "a picture of the layout that the pages' policy blocks",
      patch: { layout: { type: 'Split', pictureUrl: 'http://cdn.example/harbour.webp' } },
      path: 'layout.pictureUrl',
    },
  ])('is rejected if it contains $what', ({ patch, path }) => {
    expect(
      checkExperiencePatch(patch, { signUp: signUp() }, { connectors: all, languages: ['en'] }),
    ).toMatchObject({
      status: 422,
      code: 'guard.invalid_input',
      details: expect.stringContaining(`\`${path}\` `),
    })
  })

  it('is rejected with an error that names the unknown target or the unavailable language', () => {
    const facts = { connectors: all, languages: ['en'] }
    const stored = { signUp: signUp() }
    expect(checkExperiencePatch({ socialSignInConnectorTargets: ['wechat'] }, stored, facts)).toMatchObject({
      details: expect.stringContaining('wechat'),
    })
    const languageInfo = { autoDetect: false, fallbackLanguage: 'fr' }
    expect(checkExperiencePatch({ languageInfo }, stored, facts)).toMatchObject({ data: { language: 'fr' } })
  })

  it('is rejected with an error that names the missing connector’s type', () => {
    const patch = { signUp: signUp({ identifiers: ['phone'], verify: true }) }
    expect(
      checkExperiencePatch(patch, { signUp: signUp() }, { connectors: none, languages: ['en'] }),
    ).toMatchObject({
      data: { type: 'Sms' },
    })
  })
})
