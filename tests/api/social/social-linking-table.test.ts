import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SignInMode } from '../../../src/contract/experience/experience.ts'
import { freshEmail, freshPhone, outcomeOf } from '../../kit/clients/interaction-client.ts'
import {
  addUser,
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
  userById,
  userByIdentity,
} from '../../kit/clients/social-client.ts'
import { singleCases } from '../../kit/sweep.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests which account a social identity signs in to (spec/interaction#account-of-submit), over HTTP with a real
 * provider. A normal run covers every row of the table with every value, and an exhaustive run tests all combinations.
 * To sign in to an account, a user needs an identity of the account or an address that the provider has verified.
 */

type Cell = {
  isLinked: boolean
  /** True if the provider has verified the email address and the phone number. */
  isVerified: boolean
  /** The address of the identity that already belongs to another account. */
  related: 'none' | 'email' | 'phone'
  mode: SignInMode
  accounts: 'friendly' | 'hidden'
  /** The user's next step if no account has this identity. */
  next: 'bind' | 'register'
}

type Outcome = readonly [status: number, code?: string, data?: unknown]
/** The outcome of each step that the user takes, and the account that the user is signed in to. */
type Row = {
  cells: Partial<{ [Key in keyof Cell]: readonly Cell[Key][] }>
  signIn: Outcome
  bind?: Outcome
  register?: Outcome
  account: 'linked' | 'related' | 'new' | null
}

const signInModes = ['SignIn', 'SignInAndRegister'] as const
const done: Outcome = [200]
const forbidden: Outcome = [403, 'auth.forbidden']
const unknown: Outcome = [422, 'user.identity_not_exist']
const unproved: Outcome = [400, 'session.connector_session_not_found']
const incomplete: Outcome = [422, 'user.missing_profile', { missingProfile: ['emailOrPhone'] }]

const table: Row[] = [
  // A linked identity signs in to its account, regardless of the addresses that the provider returns.
  { cells: { isLinked: [true], mode: signInModes }, signIn: done, account: 'linked' },
  {
    cells: { isLinked: [true], mode: ['Register'] },
    signIn: forbidden,
    register: [422, 'user.identity_already_in_use'],
    account: null,
  },
  // If the user agrees, a new identity is linked to the account with an address that the provider has verified.
  {
    cells: {
      isLinked: [false],
      isVerified: [true],
      related: ['email', 'phone'],
      mode: signInModes,
      next: ['bind'],
    },
    signIn: unknown,
    bind: done,
    account: 'related',
  },
  {
    cells: { isLinked: [false], isVerified: [true], related: ['none'], mode: signInModes, next: ['bind'] },
    signIn: unknown,
    bind: [404, 'user.user_not_exist', 'the address'],
    account: null,
  },
  // An address that the provider has not verified does not link the identity, even if an account has the address.
  {
    cells: { isLinked: [false], isVerified: [false], mode: signInModes, next: ['bind'] },
    signIn: unknown,
    bind: unproved,
    account: null,
  },
  // A registration creates a new account or fails.
  {
    cells: { isLinked: [false], mode: ['SignIn'], next: ['register'] },
    signIn: unknown,
    register: forbidden,
    account: null,
  },
  ...(['SignInAndRegister', 'Register'] as const).flatMap((mode): Row[] => {
    const signIn = mode === 'Register' ? forbidden : unknown
    const cells = { isLinked: [false], mode: [mode], next: ['register'] } as const
    return [
      // A new account gets a verified address that no other account has, preferably the email address.
      {
        cells: { ...cells, isVerified: [true], related: ['none', 'phone'] },
        signIn,
        register: done,
        account: 'new',
      },
      {
        cells: { ...cells, isVerified: [true], related: ['email'] },
        signIn,
        register: incomplete,
        account: null,
      },
      { cells: { ...cells, isVerified: [false] }, signIn, register: incomplete, account: null },
    ]
  }),
]

const cells = (['friendly', 'hidden'] as const).flatMap((accounts) =>
  (['SignIn', 'Register', 'SignInAndRegister'] as const).flatMap((mode) =>
    [true, false].flatMap((isLinked) =>
      [true, false].flatMap((isVerified) =>
        (['none', 'email', 'phone'] as const).flatMap((related) =>
          // The user can choose the next step only if sign-in is enabled and no account has the identity.
          (isLinked || mode === 'Register' ? (['register'] as const) : (['bind', 'register'] as const)).map(
            (next): Cell => ({ isLinked, isVerified, related, mode, accounts, next }),
          ),
        ),
      ),
    ),
  ),
)

function rowsFor(cell: Cell): Row[] {
  const isIn = <Key extends keyof Cell>(row: Row, key: Key) => row.cells[key]?.includes(cell[key]) ?? true
  const keys = ['isLinked', 'isVerified', 'related', 'mode', 'accounts', 'next'] as const
  return table.filter((row) => keys.every((key) => isIn(row, key)))
}

let app: TestApp
beforeAll(async () => {
  app = openTestApp()
  await installUpstream(app, ['oidc'])
})

it('exactly one row of the linking table applies to every combination', () => {
  expect(cells).toHaveLength(2 * (3 * 2 * 2 * 3 + 2 * 2 * 3))
  for (const cell of cells) expect([cell, rowsFor(cell).length]).toEqual([cell, 1])
})

const testedCells = singleCases(env.TEST_SWEEP, cells, (cell) => [
  ...rowsFor(cell).map((row) => table.indexOf(row)),
  ...Object.values(cell),
  `${cell.accounts} ${cell.mode}`,
])

describe.each(['friendly', 'hidden'] as const)(
  'a social sign-in with the setting accountExistence %s',
  (accounts) => {
    describe.each(['SignIn', 'Register', 'SignInAndRegister'] as const)('in the mode %s', (mode) => {
      let strict: TestApp
      beforeAll(async () => {
        await setTenantSettings(app, { accountExistence: accounts })
        const signUp = {
          identifiers: ['email', 'phone'] as ('email' | 'phone')[],
          password: false,
          verify: true,
        }
        await setExperience(app, { methods: everyMethod, signUp, signInMode: mode })
        strict = openTestApp()
      })

      it.each(testedCells.filter((cell) => cell.accounts === accounts && cell.mode === mode))(
        'follows the table for linked: $isLinked, verified: $isVerified, related: $related, next step: $next',
        async (cell) => {
          const [row] = rowsFor(cell)
          if (!row) throw new Error('no such row')
          const providerAccount = await newProviderAccount({
            email: freshEmail(),
            phone: freshPhone(),
            isVerified: cell.isVerified,
          })
          const linked = cell.isLinked
            ? await addUser(strict, { email: freshEmail(), identity: ['oidc', providerAccount.id] })
            : null
          const related = cell.related === 'none' ? null : await addRelated(providerAccount, cell.related)
          const before = related ? await userById(strict, related) : null

          const address =
            cell.related === 'phone' ? { phone: providerAccount.phone } : { email: providerAccount.email }
          const answers = await tryAll(cell, providerAccount, address)

          const isShown = accounts === 'friendly' && cell.isVerified && related && row.signIn === unknown
          const [[type = '', value = ''] = []] = Object.entries(address)
          const relatedUser = isShown ? { relatedUser: { type, value } } : {}
          expect(answers).toEqual({
            signIn: row.signIn === unknown ? [...unknown, relatedUser] : withAddress(row.signIn, value),
            ...(row.bind && { bind: withAddress(row.bind, value) }),
            ...(row.register && { register: withAddress(row.register, value) }),
          })

          // The user must be signed in to the account that now has the identity.
          const owner = await userByIdentity(strict, 'oidc', providerAccount.id)
          switch (row.account) {
            case 'linked':
              expect(owner).toMatchObject({ id: linked, last_sign_in_at: expect.any(Number) })
              break
            case 'related':
              expect(owner).toMatchObject({ id: related, last_sign_in_at: expect.any(Number) })
              break
            case 'new':
              expect([linked, related]).not.toContain(owner?.id)
              expect(owner).toMatchObject({ primary_email: providerAccount.email, primary_phone: null })
              break
            case null:
              expect(owner?.id ?? null).toBe(linked)
              expect(owner?.last_sign_in_at ?? null).toBeNull()
          }
          if (related && row.account !== 'related') expect(await userById(strict, related)).toEqual(before)
        },
      )

      const addRelated = ({ email = '', phone = '' }, type: 'email' | 'phone') =>
        addUser(strict, type === 'email' ? { email } : { phone })

      /** Makes the same calls as the pages (spec/interaction#flow-social). */
      async function tryAll(
        { next }: Cell,
        providerAccount: { id: string },
        address: { email: string | undefined } | { phone: string | undefined },
      ): Promise<Record<string, Outcome>> {
        const interaction = await beginSocialInteraction(strict)
        const submit = async (): Promise<Outcome> => readOutcome(await interaction.submit())
        const start = await interaction.start('SignIn')
        if (!start.ok) {
          await interaction.start('Register')
          expect((await interaction.proveBy('oidc', providerAccount)).status).toBe(204)
          await interaction.call('PATCH', '/profile', { connectorId: 'oidc' })
          return { signIn: await readOutcome(start), register: await submit() }
        }

        expect((await interaction.proveBy('oidc', providerAccount)).status).toBe(204)
        const signIn = await submit()
        if (signIn[0] === 200) return { signIn }
        if (next === 'bind') {
          const claimed = await interaction.call('PATCH', '/identifiers', { connectorId: 'oidc', ...address })
          if (!claimed.ok) return { signIn, bind: await readOutcome(claimed) }
          await interaction.call('PATCH', '/profile', { connectorId: 'oidc' })
          return { signIn, bind: await submit() }
        }
        const switched = await interaction.call('PUT', '/event', { event: 'Register' })
        if (!switched.ok) return { signIn, register: await readOutcome(switched) }
        await interaction.call('PATCH', '/profile', { connectorId: 'oidc' })
        return { signIn, register: await submit() }
      }
    })
  },
)

async function readOutcome(response: Response): Promise<Outcome> {
  const [status, code, data] = await outcomeOf(response)
  return code === null ? [status] : data === undefined ? [status, code] : [status, code, data]
}

/** Replaces the address placeholder in an expected outcome. */
const withAddress = ([status, code, data]: Outcome, value: string): Outcome =>
  data === 'the address'
    ? [status, code, { identifier: value }]
    : data === undefined
      ? code
        ? [status, code]
        : [status]
      : [status, code, data]
