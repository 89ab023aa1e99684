import { describe, expect, it } from 'vitest'
import type { SignInMethod } from '../../../src/contract/experience/experience.ts'
import {
  type IdentifierType,
  identifierTypes,
  interactionEvents,
} from '../../../src/contract/interactions/identifiers.ts'
import { defaultCountry } from '../../../src/domain/codes/default-country.ts'
import {
  acceptsPhones,
  checkFirstProof,
  checkIdentifier,
  checkOfferedConnector,
  checkProfile,
  firstStep,
  forbidsEvent,
  guessIdentifierType,
  offersRegistration,
  offersSignIn,
  signInScreen,
} from '../../../src/domain/experience/experience-rules.ts'
import { buildExperience, byEmail, byPasskey, byPassword, byPhone, bySocial, everyWay } from '../given.ts'

const method = (identifier: IdentifierType, factors: Partial<SignInMethod> = {}): SignInMethod => ({
  identifier,
  password: false,
  verificationCode: false,
  isPasswordPrimary: false,
  ...factors,
})
const withPassword = (identifier: IdentifierType) => method(identifier, { password: true })
const withCode = (identifier: IdentifierType) => method(identifier, { verificationCode: true })

const notEnabled = { code: 'user.sign_in_method_not_enabled', status: 422 }

describe('the sign-in mode', () => {
  it.each([
    { signInMode: 'SignIn', event: 'Register' },
    { signInMode: 'Register', event: 'SignIn' },
  ] as const)('$signInMode forbids $event', ({ signInMode, event }) => {
    expect(forbidsEvent(buildExperience({ signInMode }), event)).toMatchObject({
      code: 'auth.forbidden',
      status: 403,
    })
  })

  it.each([
    { signInMode: 'SignIn', event: 'SignIn' },
    { signInMode: 'SignIn', event: 'ForgotPassword' },
    { signInMode: 'Register', event: 'Register' },
    { signInMode: 'Register', event: 'ForgotPassword' },
    { signInMode: 'SignInAndRegister', event: 'SignIn' },
    { signInMode: 'SignInAndRegister', event: 'Register' },
    { signInMode: 'SignInAndRegister', event: 'ForgotPassword' },
  ] as const)('$signInMode allows $event', ({ signInMode, event }) => {
    expect(forbidsEvent(buildExperience({ signInMode }), event)).toBeNull()
  })
})

describe('identifier payload validation', () => {
  const noSignUp = { identifiers: [], password: false, verify: false }
  const secret = { password: 'secret-1' }
  const code = { verificationCode: '123456' }

  it.each([
    { what: 'a username', methods: [withPassword('username')], payload: { username: 'ann', ...secret } },
    { what: 'an email password', methods: [withPassword('email')], payload: { email: 'a@b.c', ...secret } },
    { what: 'a phone password', methods: [withPassword('phone')], payload: { phone: '123', ...secret } },
    { what: 'an email code', methods: [withCode('email')], payload: { email: 'a@b.c', ...code } },
    { what: 'a phone code', methods: [withCode('phone')], payload: { phone: '123', ...code } },
  ])('accepts $what if it is enabled', ({ methods, payload }) => {
    const settings = buildExperience({ signIn: { methods }, signUp: noSignUp })
    expect(checkIdentifier(settings, 'SignIn', payload)).toBeNull()
  })

  it.each([
    { what: 'a username', methods: [withPassword('email')], payload: { username: 'ann', ...secret } },
    {
      what: 'a username without password',
      methods: [method('username')],
      payload: { username: 'a', ...secret },
    },
    { what: 'an email password', methods: [withCode('email')], payload: { email: 'a@b.c', ...secret } },
    { what: 'a phone password', methods: [withPassword('email')], payload: { phone: '123', ...secret } },
    { what: 'an email code', methods: [withPassword('email')], payload: { email: 'a@b.c', ...code } },
    { what: 'a phone code', methods: [withCode('email')], payload: { phone: '123', ...code } },
  ])('rejects $what if it is not enabled', ({ methods, payload }) => {
    const settings = buildExperience({ signIn: { methods }, signUp: noSignUp })
    expect(checkIdentifier(settings, 'SignIn', payload)).toMatchObject(notEnabled)
    expect(checkIdentifier(settings, 'Register', payload)).toMatchObject(notEnabled)
    const reset = checkIdentifier(settings, 'ForgotPassword', payload)
    if ('verificationCode' in payload) expect(reset).toBeNull()
    else expect(reset).toMatchObject(notEnabled)
  })

  it.each([
    { connectorId: 'offered', connectorData: {} },
    { connectorId: 'offered', email: 'a@b.c' },
    { connectorId: 'offered', phone: '123' },
  ])('accepts only social connectors that the pages offer, and none for a password reset: %o', (payload) => {
    const offered = {
      id: 'offered',
      target: 'acme',
      platform: 'Web' as const,
      name: { en: 'Acme' },
      logo: '/a',
    }
    const settings = buildExperience({
      signIn: { methods: [] },
      signUp: noSignUp,
      socialConnectors: [offered],
    })
    expect(checkIdentifier(settings, 'ForgotPassword', payload)).toMatchObject(notEnabled)
    for (const event of ['SignIn', 'Register'] as const) {
      expect(checkIdentifier(settings, event, payload)).toBeNull()
      expect(checkIdentifier(settings, event, { ...payload, connectorId: 'hidden' })).toMatchObject({
        status: 422,
        code: 'session.invalid_connector_id',
      })
    }
  })

  it.each([
    {
      condition: 'the address is required at sign-up',
      signUp: { ...noSignUp, identifiers: ['email' as const] },
    },
    { condition: 'sign-up verifies addresses', signUp: { ...noSignUp, verify: true } },
  ])(
    'accepts a code for a password method if $condition, but not as the first step of a sign-in',
    ({ signUp }) => {
      const settings = buildExperience({ signIn: { methods: [withPassword('email')] }, signUp })
      const payload = { email: 'a@b.c', ...code }
      expect(checkIdentifier(settings, 'Register', payload)).toBeNull()
      for (const proofs of [[], [byEmail('a@b.c')]]) {
        expect(checkIdentifier(settings, 'SignIn', payload, { proofs })).toMatchObject(notEnabled)
      }
      const afterPassword = { proofs: [byPassword('ann')] }
      expect(checkIdentifier(settings, 'SignIn', payload, afterPassword)).toBeNull()
    },
  )

  it('rejects a code for an identifier without a method, even if sign-up verifies identifiers', () => {
    const signUp = { identifiers: ['email' as const], password: false, verify: true }
    const settings = buildExperience({ signIn: { methods: [withPassword('username')] }, signUp })
    expect(checkIdentifier(settings, 'Register', { email: 'a@b.c', ...code })).toMatchObject(notEnabled)
  })
})

describe('profile validation', () => {
  const profiles = { username: { username: 'ann' }, email: { email: 'a@b.c' }, phone: { phone: '123' } }

  it.each(identifierTypes)('accepts a profile with %s only if sign-up requires that identifier', (type) => {
    const requiring = buildExperience({ signUp: { identifiers: [type], password: false, verify: false } })
    const others = identifierTypes.filter((other) => other !== type)
    const notRequiring = buildExperience({ signUp: { identifiers: others, password: true, verify: true } })

    expect(checkProfile(requiring, 'Register', profiles[type])).toBeNull()
    expect(checkProfile(notRequiring, 'Register', profiles[type])).toMatchObject(notEnabled)
    expect(checkProfile(notRequiring, 'SignIn', profiles[type])).toMatchObject(notEnabled)
    expect(checkProfile(notRequiring, 'ForgotPassword', profiles[type])).toBeNull()
  })

  it('accepts a password only if sign-up requires one', () => {
    const requiring = buildExperience({ signUp: { identifiers: [], password: true, verify: false } })
    const notRequiring = buildExperience({
      signUp: { identifiers: ['username'], password: false, verify: false },
    })

    expect(checkProfile(requiring, 'Register', { password: 'secret-1' })).toBeNull()
    expect(checkProfile(notRequiring, 'Register', { password: 'secret-1' })).toMatchObject(notEnabled)
    expect(checkProfile(notRequiring, 'ForgotPassword', { password: 'secret-1' })).toBeNull()
  })

  it.each(interactionEvents)(
    'always accepts a social identity and an empty profile for the event %s',
    (event) => {
      const settings = buildExperience({ signUp: { identifiers: [], password: false, verify: false } })
      expect(checkProfile(settings, event, { connectorId: 'c' })).toBeNull()
      expect(checkProfile(settings, event, {})).toBeNull()
    },
  )

  it('rejects the whole profile if one part is not enabled', () => {
    const settings = buildExperience({ signUp: { identifiers: ['username'], password: true, verify: false } })
    expect(checkProfile(settings, 'Register', { username: 'ann', email: 'a@b.c' })).toMatchObject(notEnabled)
  })
})

describe('the sign-in screen', () => {
  const screen = (...methods: SignInMethod[]) => signInScreen(buildExperience({ signIn: { methods } }))

  it('has an identifier and a password field if every method uses only passwords', () => {
    expect(screen(withPassword('username'), withPassword('email'))).toEqual({
      kind: 'password',
      identifiers: ['username', 'email'],
    })
  })

  it('has only an identifier field if any method uses codes', () => {
    expect(screen(withPassword('username'), withCode('phone'))).toEqual({
      kind: 'identifier',
      identifiers: ['username', 'phone'],
    })
    const both = method('email', { password: true, verificationCode: true })
    expect(screen(both)).toEqual({ kind: 'identifier', identifiers: ['email'] })
  })

  it('ignores a method without any factor', () => {
    expect(screen(withPassword('username'), method('email'))).toEqual({
      kind: 'password',
      identifiers: ['username'],
    })
  })

  it('has only social buttons if there are no methods', () => {
    const github = { id: 'g', target: 'github', platform: 'Universal', name: {}, logo: '' } as const
    const settings = buildExperience({ signIn: { methods: [method('email')] }, socialConnectors: [github] })
    expect(signInScreen(settings)).toEqual({ kind: 'socialOnly' })
  })

  it('is empty if there are no methods or connectors', () => {
    expect(screen()).toEqual({ kind: 'none' })
  })
})

describe('the first step after an identifier', () => {
  it.each([
    {
      identifier: 'username',
      password: true,
      verificationCode: false,
      isPasswordPrimary: false,
      step: 'password',
    },
    {
      identifier: 'username',
      password: false,
      verificationCode: true,
      isPasswordPrimary: false,
      step: 'password',
    },
    {
      identifier: 'email',
      password: true,
      verificationCode: false,
      isPasswordPrimary: false,
      step: 'password',
    },
    {
      identifier: 'email',
      password: true,
      verificationCode: true,
      isPasswordPrimary: true,
      step: 'password',
    },
    { identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: false, step: 'code' },
    { identifier: 'phone', password: false, verificationCode: true, isPasswordPrimary: false, step: 'code' },
    { identifier: 'phone', password: false, verificationCode: true, isPasswordPrimary: true, step: 'code' },
  ] as const)(
    'is $step for $identifier (password: $password, code: $verificationCode, primary password: $isPasswordPrimary)',
    ({ step, ...factors }) => {
      expect(firstStep(factors)).toBe(step)
    },
  )
})

describe('links between sign-in and registration', () => {
  it.each([
    { signInMode: 'SignInAndRegister', identifiers: ['email'], offered: true },
    { signInMode: 'SignInAndRegister', identifiers: [], offered: false },
    { signInMode: 'SignIn', identifiers: ['email'], offered: false },
    { signInMode: 'Register', identifiers: ['email'], offered: false },
  ] as const)(
    'offer registration in the mode $signInMode with the sign-up identifiers $identifiers: $offered',
    ({ signInMode, identifiers, offered }) => {
      const signUp = { identifiers: [...identifiers], password: true, verify: true }
      expect(offersRegistration(buildExperience({ signInMode, signUp }))).toBe(offered)
    },
  )

  it.each([
    { signInMode: 'SignInAndRegister', methods: [withPassword('email')], offered: true },
    { signInMode: 'SignInAndRegister', methods: [], offered: false },
    { signInMode: 'SignIn', methods: [withPassword('email')], offered: false },
    { signInMode: 'Register', methods: [withPassword('email')], offered: false },
  ] as const)('offer sign-in in the mode $signInMode: $offered', ({ signInMode, methods, offered }) => {
    expect(offersSignIn(buildExperience({ signInMode, signIn: { methods: [...methods] } }))).toBe(offered)
  })
})

describe('guessing the identifier type', () => {
  it.each([
    { text: '123', accepted: ['email', 'phone'], current: null, type: 'phone' },
    { text: '12', accepted: ['email', 'phone'], current: null, type: 'email' },
    { text: '12', accepted: ['email', 'phone'], current: 'phone', type: 'phone' },
    { text: '12', accepted: ['username', 'email', 'phone'], current: 'email', type: 'username' },
    { text: '123a', accepted: ['email', 'phone'], current: 'phone', type: 'email' },
    { text: '12345', accepted: ['username', 'email'], current: null, type: 'username' },
    { text: 'ann@', accepted: ['username', 'email'], current: 'username', type: 'email' },
    { text: 'ann@', accepted: ['username', 'phone'], current: null, type: 'username' },
    { text: 'ann', accepted: ['username', 'email'], current: 'email', type: 'username' },
    { text: '', accepted: ['username', 'email'], current: 'email', type: null },
    { text: '', accepted: ['email', 'phone'], current: 'phone', type: null },
    { text: '', accepted: ['phone'], current: null, type: 'phone' },
    { text: 'ann@', accepted: ['phone'], current: null, type: 'phone' },
    { text: '123', accepted: ['email'], current: null, type: 'email' },
  ] as const)(
    'returns $type for "$text" if the accepted types are $accepted and the last guess was $current',
    ({ text, accepted, current, type }) => {
      expect(guessIdentifierType(text, accepted, current)).toBe(type)
    },
  )

  it('works without a previous guess', () => {
    expect(guessIdentifierType('1234', ['email', 'phone'])).toBe('phone')
  })
})

describe('the default country', () => {
  const countries = new Set('US CN FR DE PT BR TR TW CA GB KR EG AR SV SE VI VN JP UA ES'.split(' '))

  it.each([
    { language: 'pt-BR', country: 'BR' },
    { language: 'zh-Hant-TW', country: 'TW' },
    { language: 'en-GB', country: 'GB' },
    { language: 'fr', country: 'FR' },
    { language: 'de', country: 'DE' },
    { language: 'de-XX', country: 'DE' },
    { language: 'ko', country: 'KR' },
    // These language codes are also the codes of unrelated countries.
    { language: 'ar', country: 'EG' },
    { language: 'sv', country: 'SE' },
    { language: 'vi', country: 'VN' },
    { language: 'ja', country: 'JP' },
    { language: 'uk', country: 'UA' },
    { language: 'es-XX', country: 'ES' },
    { language: 'zh', country: 'CN' },
    { language: 'zh-Hans', country: 'CN' },
    { language: 'en', country: 'US' },
    { language: 'en-u-ca-gregory', country: 'US' },
    { language: 'es-419', country: 'ES' },
    { language: '', country: 'US' },
    { language: '%%', country: 'US' },
  ])('is $country for "$language"', ({ language, country }) => {
    expect(defaultCountry(language, countries)).toBe(country)
  })
})

describe('passkey settings', () => {
  it.each([
    { passkeys: true, event: 'SignIn', isAccepted: true },
    { passkeys: undefined, event: 'SignIn', isAccepted: false },
    { passkeys: true, event: 'Register', isAccepted: false },
    { passkeys: true, event: 'ForgotPassword', isAccepted: false },
  ] as const)(
    'accept a passkey for $event if passkeys are set to $passkeys: $isAccepted',
    ({ passkeys, event, isAccepted }) => {
      const settings = buildExperience({ ...everyWay, passkeys })
      const payload = { passkey: {} } as Parameters<typeof checkIdentifier>[2]
      const problem = checkIdentifier(settings, event, payload)
      if (isAccepted) expect(problem).toBeNull()
      else expect(problem).toMatchObject(notEnabled)
    },
  )
})

describe('the proof that identified an account', () => {
  const nothing = { signIn: { methods: [] } }
  const factors = (['totp', 'backupCode', 'emailFactor', 'phoneFactor'] as const).map((kind) => ({
    kind,
    userId: 'ann',
    provenAt: 1,
  }))
  it.each([bySocial('github-1', { id: '1' }), { ...byEmail('a@b.c'), connectorId: 'github-1' }, ...factors])(
    'is accepted even if no method is enabled if it is of the kind $kind',
    (proof) => {
      expect(checkFirstProof(nothing, { proofs: [proof] }, proof)).toBeNull()
    },
  )

  it.each([
    [byPassword('ann'), withPassword('phone'), withCode('phone')],
    [byEmail('a@b.c'), withCode('email'), withPassword('email')],
    [byEmail('a@b.c'), withCode('email'), withCode('phone')],
    [byPhone('1'), withCode('phone'), withCode('email')],
  ])('is accepted only if its method is enabled: %j', (proof, enabled, disabled) => {
    const check = (method: SignInMethod) =>
      checkFirstProof({ signIn: { methods: [method] } }, { proofs: [proof] }, proof)
    expect(check(enabled)).toBeNull()
    expect(check(disabled)).toMatchObject(notEnabled)
  })

  it('is accepted if it is a passkey and passkeys are enabled', () => {
    const proof = byPasskey('ann')
    expect(checkFirstProof({ ...nothing, passkeys: true }, { proofs: [proof] }, proof)).toBeNull()
    expect(checkFirstProof(nothing, { proofs: [proof] }, proof)).toMatchObject(notEnabled)
  })

  it('is accepted if it is a code for the account to which an identity is linked', () => {
    const [proof, social] = [byEmail('a@b.c'), bySocial('github-1', { id: '1' })]
    const check = (connectorId: string) =>
      checkFirstProof(nothing, { proofs: [social, proof], profile: { connectorId } }, proof)
    expect(check('github-1')).toBeNull()
    expect(check('google-1')).toMatchObject(notEnabled)
  })
})

describe('a social connector', () => {
  const socialConnectors = [
    {
      id: 'github-1',
      target: 'github',
      platform: 'Universal',
      name: { en: 'GitHub' },
      logo: '/a.svg',
    } as const,
  ]
  it('can be used only if the pages offer it', () => {
    expect(checkOfferedConnector({ socialConnectors }, 'github-1')).toBeNull()
    expect(checkOfferedConnector({ socialConnectors }, 'google-1')).toMatchObject({
      code: 'session.invalid_connector_id',
      data: { connectorId: 'google-1' },
    })
  })
})

it.each([
  { where: 'nowhere', changes: {}, accepts: false },
  { where: 'for sign-in', changes: { signIn: { methods: [withPassword('phone')] } }, accepts: true },
  {
    where: 'for sign-up',
    changes: { signUp: { identifiers: ['phone' as const], password: false, verify: true } },
    accepts: true,
  },
  {
    where: 'for password resets',
    changes: { forgotPassword: { email: false, phone: true } },
    accepts: true,
  },
])('the pages have a phone number field $where: $accepts', ({ changes, accepts }) => {
  expect(acceptsPhones(buildExperience({ signIn: { methods: [withCode('email')] }, ...changes }))).toBe(
    accepts,
  )
})
