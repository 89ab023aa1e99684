import { describe, expect, it } from 'vitest'
import type { SignInMethod } from '../../../src/contract/experience/experience.ts'
import type { Account } from '../../../src/domain/interactions/accounts.ts'
import { findRemainingSignInOption } from '../../../src/domain/interactions/ways-to-sign-in.ts'

const method = (
  identifier: SignInMethod['identifier'],
  password: boolean,
  verificationCode: boolean,
): SignInMethod => ({
  identifier,
  password,
  verificationCode,
  isPasswordPrimary: true,
})
const noSignUp = { identifiers: [], password: false, verify: false }
const noAccount: Account = {
  id: 'a',
  username: null,
  email: null,
  phone: null,
  name: null,
  avatar: null,
  hasPassword: false,
  identities: { github: { userId: '1' } },
  emailVerified: true,
  phoneVerified: true,
  isSuspended: false,
  revokedAt: null,
  applicationId: null,
}

describe('the sign-in option that remains without the GitHub identity', () => {
  const rows: {
    credentials: string
    account: Partial<Account>
    methods?: SignInMethod[]
    targets?: string[]
    mayReset?: boolean
    signUpIdentifiers?: ('email' | 'phone')[]
    option: unknown
  }[] = [
    { credentials: 'no credentials', account: {}, option: null },
    {
      credentials: 'a password with a username',
      account: { username: 'ann', hasPassword: true },
      methods: [method('username', true, false)],
      option: { by: 'identifier', type: 'username', needsPassword: true },
    },
    {
      credentials: 'a password with a username, to which no code can be sent',
      account: { username: 'ann', hasPassword: true },
      methods: [method('username', true, true)],
      option: { by: 'identifier', type: 'username', needsPassword: true },
    },
    {
      credentials: 'a password without an identifier',
      account: { hasPassword: true },
      methods: [method('username', true, false), method('email', true, false)],
      option: null,
    },
    {
      credentials: 'a username without a password',
      account: { username: 'ann' },
      methods: [method('username', true, false)],
      option: null,
    },
    {
      credentials: 'a username that no sign-in method accepts',
      account: { username: 'ann', hasPassword: true },
      methods: [method('email', true, true)],
      option: null,
    },
    {
      credentials: 'an address that can receive a code',
      account: { phone: '49' },
      methods: [method('phone', false, true)],
      option: { by: 'identifier', type: 'phone', needsPassword: false },
    },
    {
      credentials: 'an address whose code is only valid for sign-up',
      account: { email: 'a@b.c' },
      methods: [method('email', true, false)],
      signUpIdentifiers: ['email'],
      option: null,
    },
    {
      credentials: 'a forgotten password that can be reset',
      account: { email: 'a@b.c' },
      methods: [method('email', true, false)],
      mayReset: true,
      option: { by: 'identifier', type: 'email', needsPassword: false },
    },
    {
      credentials: 'a forgotten password that cannot be reset',
      account: { email: 'a@b.c' },
      methods: [method('email', true, false)],
      option: null,
    },
    {
      credentials: 'another identity',
      account: { identities: { github: { userId: '1' }, google: { userId: '1' } } },
      targets: ['github', 'google'],
      option: { by: 'identity', target: 'google' },
    },
    {
      credentials: 'another identity without a button',
      account: { identities: { github: { userId: '1' }, google: { userId: '1' } } },
      targets: ['github'],
      option: null,
    },
    {
      credentials: 'a target named like an inherited property',
      account: {},
      targets: ['constructor'],
      option: null,
    },
  ]

  it.each(rows)(
    'is $option for an account with $credentials',
    ({ account, methods = [], targets = [], mayReset = false, signUpIdentifiers = [], option }) => {
      const offered = {
        signIn: { methods },
        signUp: { ...noSignUp, identifiers: signUpIdentifiers },
        socialSignInConnectorTargets: targets,
        forgotPassword: { email: mayReset, phone: mayReset },
      }
      expect(findRemainingSignInOption({ target: 'github' }, { ...noAccount, ...account }, offered)).toEqual(
        option,
      )
    },
  )
})

describe('the sign-in option that remains without a passkey', () => {
  const offered = {
    signIn: { methods: [method('username', true, false)] },
    signUp: noSignUp,
    socialSignInConnectorTargets: ['github'],
    forgotPassword: { email: false, phone: false },
    passkeys: true as const,
  }

  it.each([
    ['another passkey', {}, { by: 'passkey', except: 'one' }],
    [
      'an identity rather than another passkey',
      { identities: noAccount.identities },
      { by: 'identity', target: 'github' },
    ],
    [
      'a password rather than an identity or a passkey',
      { username: 'ann', hasPassword: true },
      { by: 'identifier', type: 'username', needsPassword: true },
    ],
  ])('is %s', (_, account, option) => {
    const fullAccount = { ...noAccount, identities: {}, ...account }
    expect(findRemainingSignInOption({ passkey: 'one' }, fullAccount, offered)).toEqual(option)
  })

  it('is null if passkeys are not offered', () => {
    const { passkeys: _, ...without } = offered
    expect(
      findRemainingSignInOption({ passkey: 'one' }, { ...noAccount, identities: {} }, without),
    ).toBeNull()
  })

  it('can be any passkey if an identity is unlinked', () => {
    expect(findRemainingSignInOption({ target: 'github' }, noAccount, offered)).toEqual({
      by: 'passkey',
      except: null,
    })
  })
})
