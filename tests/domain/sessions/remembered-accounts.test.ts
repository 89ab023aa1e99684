import { describe, expect, it } from 'vitest'
import type { Experience, SignInMethod } from '../../../src/contract/experience/experience.ts'
import type { Proof } from '../../../src/contract/interactions/interaction.ts'
import { DAY } from '../../../src/contract/time.ts'
import {
  describeSignIn,
  findRememberedIdentifier,
  isStillRemembered,
  listReturningAccounts,
  NOTHING_REMEMBERED,
  type RememberedAccount,
  rememberAccount,
  rememberApplication,
  withoutExpired,
} from '../../../src/domain/sessions/remembered-accounts.ts'
import { bootExperience } from '../../client/boot-data.ts'

const accountOf = (userId: string, more: Partial<RememberedAccount> = {}): RememberedAccount => ({
  id: `entry-${userId}`,
  userId,
  identifier: { type: 'email', mask: `${userId}****@example.com` },
  method: { kind: 'password' },
  at: 1_000,
  ...more,
})
const usersOf = ({ accounts }: typeof NOTHING_REMEMBERED) => accounts.map(({ userId }) => userId)
const ofUsers = (...ids: string[]) =>
  ids.reduce((browser, id) => rememberAccount(browser, accountOf(id)), NOTHING_REMEMBERED)

describe('a browser', () => {
  it('remembers the five accounts that signed in last', () => {
    expect(usersOf(ofUsers('a', 'b', 'c', 'd', 'e', 'f'))).toEqual(['f', 'e', 'd', 'c', 'b'])
  })

  it('has one entry for each account, which keeps its id', () => {
    const again = rememberAccount(
      ofUsers('a', 'b'),
      accountOf('a', { id: 'new', method: { kind: 'code' }, at: 2 }),
    )
    expect(again.accounts).toMatchObject([
      { id: 'entry-a', method: { kind: 'code' }, at: 2 },
      { id: 'entry-b' },
    ])
  })

  it('forgets an account thirty days after its last sign-in', () => {
    const browser = ofUsers('a')
    expect(usersOf(withoutExpired(browser, 1_000 + 30 * DAY - 1))).toEqual(['a'])
    expect(usersOf(withoutExpired(browser, 1_000 + 30 * DAY))).toEqual([])
  })

  it('remembers twenty applications, each once', () => {
    const ids = Array.from({ length: 22 }, (_, index) => `app-${index}`)
    const browser = [...ids, 'app-20'].reduce(rememberApplication, NOTHING_REMEMBERED)
    expect(browser.applications.slice(0, 3)).toEqual(['app-20', 'app-21', 'app-19'])
    expect(browser.applications).toHaveLength(20)
  })

  it('remembers no client that is only a document, whose long id would fill the cookie', () => {
    const browser = rememberApplication(ofUsers('a'), `https://client.example/${'x'.repeat(480)}`)
    expect(browser).toEqual(ofUsers('a'))
  })

  it('drops the oldest accounts if the list would not fit into a cookie', () => {
    const long = (userId: string) =>
      accountOf(userId, { identifier: { type: 'email', mask: `****@${'x'.repeat(800)}.example` } })
    const browser = ['a', 'b', 'c'].map(long).reduce(rememberAccount, NOTHING_REMEMBERED)
    expect(usersOf(browser)).toEqual(['c', 'b'])
  })
})

describe('a remembered account', () => {
  const user = {
    id: 'a',
    isSuspended: false,
    revokedAt: null,
    username: 'ada_lovelace',
    email: 'ada.lovelace@example.com',
    phone: null,
  }

  it.each([
    ['is remembered', user, true],
    ['ends with its deletion', undefined, false],
    ['ends with a suspension', { ...user, isSuspended: true }, false],
    ['ends when its user is signed out everywhere', { ...user, revokedAt: 1_000 }, false],
    ['survives an earlier sign-out everywhere', { ...user, revokedAt: 999 }, true],
  ])('%s', (_, account, isRemembered) => {
    expect(isStillRemembered(accountOf('a'), account)).toBe(isRemembered)
  })

  it.each([
    [{ type: 'email', mask: 'ada.****@example.com' } as const, 'ada.lovelace@example.com'],
    [{ type: 'username', mask: 'ada_****' } as const, 'ada_lovelace'],
    [{ type: 'email', mask: 'adal****@example.com' } as const, null],
    [{ type: 'phone', mask: '****5678' } as const, null],
    [null, null],
  ])('has the identifier of the mask %j, unless it has changed', (identifier, value) => {
    expect(findRememberedIdentifier(accountOf('a', { identifier }), user)?.value ?? null).toBe(value)
  })
})

const method = (identifier: SignInMethod['identifier'], more: Partial<SignInMethod> = {}): SignInMethod => ({
  identifier,
  password: true,
  verificationCode: identifier !== 'username',
  isPasswordPrimary: true,
  ...more,
})
const provenAt = 1
const ada = { username: 'ada', email: 'ada@example.com', phone: '4917012345678' }

describe('a completed sign-in', () => {
  const signIn = { methods: [method('username'), method('email'), method('phone')] }
  it.each([
    ['a password', { kind: 'account', userId: 'a', provenAt }, 'password', '****'],
    ['a code', { kind: 'phone', value: ada.phone, provenAt }, 'code', '****5678'],
    [
      'a passkey',
      { kind: 'passkey', userId: 'a', credentialId: 'c', isUserVerified: true, isBackedUp: true, provenAt },
      'passkey',
      '****',
    ],
    [
      'a provider',
      { kind: 'social', connectorId: 'github', profile: { id: '1' }, provenAt },
      'social',
      '****',
    ],
  ] satisfies [string, Proof, string, string][])(
    'with %s is remembered by its method, under a mask',
    (_, proof, kind, mask) => {
      const described = describeSignIn({ event: 'SignIn', proofs: [proof] }, ada, { signIn })
      expect([described.method.kind, described.identifier?.mask]).toEqual([kind, mask])
    },
  )

  it('of an account without identifiers has none', () => {
    const nobody = { username: null, email: null, phone: null }
    expect(describeSignIn({ event: 'SignIn', proofs: [] }, nobody, { signIn }).identifier).toBeNull()
  })

  it('that registered with a password continues with it', () => {
    const registration = {
      event: 'Register',
      proofs: [],
      profile: { username: 'ada', password: 'x' },
    } as const
    expect(describeSignIn(registration, ada, { signIn }).method).toEqual({ kind: 'password' })
  })
})

describe('the accounts to welcome', () => {
  const experience = (methods: SignInMethod[], more: Partial<Experience> = {}) => ({
    ...bootExperience,
    signIn: { methods },
    ...more,
  })
  const waysIn = (settings: ReturnType<typeof experience>, account: Partial<RememberedAccount>) =>
    listReturningAccounts(rememberAccount(NOTHING_REMEMBERED, accountOf('a', account)), settings).map(
      ({ way }) => way,
    )
  const passkey = { method: { kind: 'passkey' } } as const
  const code = { method: { kind: 'code' } } as const

  it.each([
    ['the last method', experience([method('email')]), code, ['code']],
    [
      'the password if codes are no longer offered',
      experience([method('email', { verificationCode: false })]),
      code,
      ['password'],
    ],
    [
      'a code if passwords are no longer offered',
      experience([method('email', { password: false })]),
      {},
      ['code'],
    ],
    ['the passkey', experience([method('email')], { passkeys: true }), passkey, ['passkey']],
    ['the password if passkeys are no longer offered', experience([method('email')]), passkey, ['password']],
    ['nothing that the tenant does not offer', experience([method('phone')]), {}, []],
    ['nothing if nobody can sign in', experience([method('email')], { signInMode: 'Register' }), {}, []],
  ] as const)('continue with %s', (_, settings, account, ways) => {
    expect(waysIn(settings, account)).toEqual(ways)
  })

  it('contain neither the user nor the identifier', () => {
    const [account] = listReturningAccounts(ofUsers('a'), experience([method('email')]))
    expect(account).toEqual({ id: 'entry-a', type: 'email', mask: 'a****@example.com', way: 'password' })
  })
})
