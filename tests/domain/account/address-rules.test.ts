import { expect, it } from 'vitest'
import type { Experience } from '../../../src/contract/experience/experience.ts'
import { DAY, HOUR } from '../../../src/contract/time.ts'
import {
  checkAddressRemoval,
  isSameAddress,
  resetCutoff,
  undoCutoff,
} from '../../../src/domain/account/address-rules.ts'
import type { Account } from '../../../src/domain/interactions/accounts.ts'
import { buildAccount, buildExperience } from '../given.ts'

const byName = {
  identifier: 'username',
  password: true,
  verificationCode: false,
  isPasswordPrimary: true,
} as const
const byCode = {
  identifier: 'email',
  password: false,
  verificationCode: true,
  isPasswordPrimary: false,
} as const
const byPhone = { ...byCode, identifier: 'phone' } as const

type Row = { what: string; account: Partial<Account>; offered: Partial<Experience>; removal: unknown }
const named = { username: 'ann', hasPassword: true, email: 'a@example.com' }
const noReset = { email: false, phone: false }
const username = { by: 'identifier', type: 'username', needsPassword: true }
const phone = { by: 'identifier', type: 'phone', needsPassword: false }

const rows: Row[] = [
  {
    what: 'cannot be removed if it is the last way to sign in',
    account: { email: 'a@example.com' },
    offered: { signIn: { methods: [byCode, byPhone] } },
    removal: { obstacle: 'lastWay' },
  },
  {
    what: 'can be removed if a username and a password remain and password reset is off',
    account: named,
    offered: { forgotPassword: noReset },
    removal: { obstacle: null, option: username, other: null },
  },
  {
    what: 'cannot be removed if nothing else can reset the password',
    account: named,
    offered: { forgotPassword: { email: true, phone: true } },
    removal: { obstacle: 'recovery' },
  },
  {
    what: 'can be removed if the phone number can reset the password',
    account: { ...named, phone: '491' },
    offered: { forgotPassword: { email: true, phone: true } },
    removal: { obstacle: null, option: username, other: 'phone' },
  },
  {
    what: 'cannot be removed if every account must have an email address',
    account: { ...named, phone: '491' },
    offered: { signUp: { identifiers: ['email'], password: true, verify: true } },
    removal: { obstacle: 'required' },
  },
  {
    what: 'can be removed if an email or phone number is required and the phone number remains',
    account: { email: 'a@example.com', phone: '491' },
    offered: {
      signIn: { methods: [byCode, byPhone] },
      signUp: { identifiers: ['email', 'phone'], password: false, verify: true },
    },
    removal: { obstacle: null, option: phone, other: 'phone' },
  },
]

it.each(rows)('an email address $what', ({ account, offered, removal }) => {
  const experience = buildExperience({ signIn: { methods: [byName] }, ...offered })
  expect(checkAddressRemoval('email', buildAccount({ id: 'a', ...account }), experience)).toEqual(removal)
})

it.each([
  { account: 'an old account', age: 400 * DAY, since: 30 * DAY },
  { account: 'an account younger than 30 days', age: 10 * DAY, since: 10 * DAY - HOUR },
  { account: 'an account younger than an hour', age: HOUR / 2, since: 0 },
])('undoing a change to $account removes only recently added credentials', ({ age, since }) => {
  const changedAt = 1e12
  expect(undoCutoff({ changedAt, createdAt: changedAt - age })).toBe(changedAt - since)
})

it.each([
  { what: 'an old account', age: 400 * DAY, since: 72 * HOUR },
  { what: 'an account created within the last three days', age: 10 * HOUR, since: 9 * HOUR },
  { what: 'an account created within the last hour', age: HOUR / 2, since: 0 },
])('resetting the password of $what removes only recently added credentials', ({ age, since }) => {
  const at = 1e12
  expect(resetCutoff({ at, createdAt: at - age })).toBe(at - since)
})

it('a phone number can be removed under the same conditions', () => {
  const account = buildAccount({ id: 'a', ...named, phone: '491' })
  const experience = buildExperience({
    signIn: { methods: [byName] },
    forgotPassword: { email: true, phone: true },
  })
  expect(checkAddressRemoval('phone', account, experience)).toEqual({
    obstacle: null,
    option: username,
    other: 'email',
  })
})

it.each([
  ['Ann@example.com', 'ann@EXAMPLE.com', true],
  ['ann@example.com', 'ann@example.org', false],
  [null, 'ann@example.com', false],
  ['ann@example.com', null, false],
  [null, null, false],
])('%s and %s are the same address: %s', (one, other, isSame) => {
  expect(isSameAddress(one, other)).toBe(isSame)
})
