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
import { pairwiseCases } from '../../kit/sweep.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Which account a social identity opens (spec/interaction#account-of-submit), through HTTP, with a real provider: so many
 * combinations that every row of the table meets every value, all of them in the exhaustive run. An account is entered only by an identity that it has, or by an address that the provider has verified.
 */

type Cell = {
  /** An account has this identity. */
  isLinked: boolean
  /** Whether the provider has verified the e-mail address and the phone number. */
  isVerified: boolean
  /** Another account has this address. */
  related: 'none' | 'email' | 'phone'
  mode: SignInMode
  accounts: 'friendly' | 'hidden'
  /** The user's next step when no account has this identity. */
  next: 'bind' | 'register'
}

type FlashMessage = readonly [status: number, code?: string, data?: unknown]
/** The answers to the three calls, as far as they are made, and the account that was entered in the end. */
type Row = {
  cells: Partial<{ [Key in keyof Cell]: readonly Cell[Key][] }>
  signIn: FlashMessage
  bind?: FlashMessage
  register?: FlashMessage
  entered: 'linked' | 'related' | 'new' | null
}

const signsIn = ['SignIn', 'SignInAndRegister'] as const
const done: FlashMessage = [200]
const forbidden: FlashMessage = [403, 'auth.forbidden']
const unknown: FlashMessage = [422, 'user.identity_not_exist']
const unproved: FlashMessage = [400, 'session.connector_session_not_found']
const incomplete: FlashMessage = [422, 'user.missing_profile', { missingProfile: ['emailOrPhone'] }]

const table: Row[] = [
  // A linked identity opens its account, with any addresses of the provider.
  { cells: { isLinked: [true], mode: signsIn }, signIn: done, entered: 'linked' },
  {
    cells: { isLinked: [true], mode: ['Register'] },
    signIn: forbidden,
    register: [422, 'user.identity_already_in_use'],
    entered: null,
  },
  // A new identity is bound to the account of an address that the provider has verified, if the user asks for it.
  {
    cells: {
      isLinked: [false],
      isVerified: [true],
      related: ['email', 'phone'],
      mode: signsIn,
      next: ['bind'],
    },
    signIn: unknown,
    bind: done,
    entered: 'related',
  },
  {
    cells: { isLinked: [false], isVerified: [true], related: ['none'], mode: signsIn, next: ['bind'] },
    signIn: unknown,
    bind: [404, 'user.user_not_exist', 'the address'],
    entered: null,
  },
  // An address that the provider has not verified binds nothing, even if an account has it.
  {
    cells: { isLinked: [false], isVerified: [false], mode: signsIn, next: ['bind'] },
    signIn: unknown,
    bind: unproved,
    entered: null,
  },
  // A registration creates a new account, or none.
  {
    cells: { isLinked: [false], mode: ['SignIn'], next: ['register'] },
    signIn: unknown,
    register: forbidden,
    entered: null,
  },
  ...(['SignInAndRegister', 'Register'] as const).flatMap((mode): Row[] => {
    const signIn = mode === 'Register' ? forbidden : unknown
    const cells = { isLinked: [false], mode: [mode], next: ['register'] } as const
    return [
      // An address without an account becomes the new account's; e-mail is asked for first.
      {
        cells: { ...cells, isVerified: [true], related: ['none', 'phone'] },
        signIn,
        register: done,
        entered: 'new',
      },
      {
        cells: { ...cells, isVerified: [true], related: ['email'] },
        signIn,
        register: incomplete,
        entered: null,
      },
      { cells: { ...cells, isVerified: [false] }, signIn, register: incomplete, entered: null },
    ]
  }),
]

const cells = (['friendly', 'hidden'] as const).flatMap((accounts) =>
  (['SignIn', 'Register', 'SignInAndRegister'] as const).flatMap((mode) =>
    [true, false].flatMap((isLinked) =>
      [true, false].flatMap((isVerified) =>
        (['none', 'email', 'phone'] as const).flatMap((related) =>
          // There is a choice only where a sign-in was possible and no account has the identity.
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

it('the table has one row for every combination', () => {
  expect(cells).toHaveLength(2 * (3 * 2 * 2 * 3 + 2 * 2 * 3))
  for (const cell of cells) expect([cell, rowsFor(cell).length]).toEqual([cell, 1])
})

const chosen = pairwiseCases(env.TEST_SWEEP, cells, (cell) => [
  ...rowsFor(cell).map((row) => table.indexOf(row)),
  ...Object.values(cell),
])

describe.each(['friendly', 'hidden'] as const)('with %s accounts', (accounts) => {
  describe.each(['SignIn', 'Register', 'SignInAndRegister'] as const)('in mode %s', (mode) => {
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

    it.each(chosen.filter((cell) => cell.accounts === accounts && cell.mode === mode))(
      'linked $isLinked, verified $isVerified, related $related, then $next',
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
          signIn: row.signIn === unknown ? [...unknown, relatedUser] : whole(row.signIn, value),
          ...(row.bind && { bind: whole(row.bind, value) }),
          ...(row.register && { register: whole(row.register, value) }),
        })

        // The account that has the identity now, and the account that was entered.
        const owner = await userByIdentity(strict, 'oidc', providerAccount.id)
        switch (row.entered) {
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
        if (related && row.entered !== 'related') expect(await userById(strict, related)).toEqual(before)
      },
    )

    const addRelated = ({ email = '', phone = '' }, type: 'email' | 'phone') =>
      addUser(strict, type === 'email' ? { email } : { phone })

    /** As the pages do it (spec/interaction#flow-social), and as a plain API client does it. */
    async function tryAll(
      { next }: Cell,
      providerAccount: { id: string },
      address: { email: string | undefined } | { phone: string | undefined },
    ): Promise<Record<string, FlashMessage>> {
      const interaction = await beginSocialInteraction(strict)
      const submit = async (): Promise<FlashMessage> => seen(await interaction.submit())
      const started = await interaction.start('SignIn')
      if (!started.ok) {
        await interaction.start('Register')
        expect((await interaction.proveBy('oidc', providerAccount)).status).toBe(204)
        await interaction.call('PATCH', '/profile', { connectorId: 'oidc' })
        return { signIn: await seen(started), register: await submit() }
      }

      expect((await interaction.proveBy('oidc', providerAccount)).status).toBe(204)
      const signIn = await submit()
      if (signIn[0] === 200) return { signIn }
      if (next === 'bind') {
        const claimed = await interaction.call('PATCH', '/identifiers', { connectorId: 'oidc', ...address })
        if (!claimed.ok) return { signIn, bind: await seen(claimed) }
        await interaction.call('PATCH', '/profile', { connectorId: 'oidc' })
        return { signIn, bind: await submit() }
      }
      const switched = await interaction.call('PUT', '/event', { event: 'Register' })
      if (!switched.ok) return { signIn, register: await seen(switched) }
      await interaction.call('PATCH', '/profile', { connectorId: 'oidc' })
      return { signIn, register: await submit() }
    }
  })
})

async function seen(response: Response): Promise<FlashMessage> {
  const [status, code, data] = await outcomeOf(response)
  return code === null ? [status] : data === undefined ? [status, code] : [status, code, data]
}

const whole = ([status, code, data]: FlashMessage, value: string): FlashMessage =>
  data === 'the address'
    ? [status, code, { identifier: value }]
    : data === undefined
      ? code
        ? [status, code]
        : [status]
      : [status, code, data]
