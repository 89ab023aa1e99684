import { describe, expect, it } from 'vitest'
import type { OrganizationMode } from '../../../src/contract/organisations/organizations.ts'
import {
  chooseOrganization,
  type OrganizationFacts,
  requestedOrganization,
} from '../../../src/domain/organisations/chosen-organization.ts'

const URN = 'urn:vestibule:organization:'

/** The three ways in which a request names an organisation. */
const ways = {
  parameter: (id: string) => ({ parameter: id, scopes: ['openid'], resources: [] }),
  scope: (id: string) => ({ parameter: undefined, scopes: ['openid', URN + id], resources: [] }),
  resource: (id: string) => ({
    parameter: undefined,
    scopes: [],
    resources: ['https://a.example', URN + id],
  }),
}

const users = { none: [], one: ['acme'], many: ['acme', 'beta'] }

const outcome = (facts: Partial<OrganizationFacts> & { mode: OrganizationMode }): string => {
  const chosen = chooseOrganization({
    requested: undefined,
    prompts: false,
    memberships: [],
    current: undefined,
    choice: undefined,
    ...facts,
  })
  if (chosen.kind === 'organization') return chosen.id
  return chosen.kind === 'refuse' ? chosen.error : chosen.kind
}

/** The organisation that is named: one of the user's, one that the user has left, or one that is none of the tenant's. */
const named = { member: 'acme', removed: 'left', foreign: 'alien' }

describe('an organisation that the request names', () => {
  const rows: [OrganizationMode, keyof typeof users, keyof typeof named, string][] = [
    ['none', 'none', 'removed', 'invalid_request'],
    ['none', 'none', 'foreign', 'invalid_request'],
    ['none', 'one', 'member', 'invalid_request'],
    ['none', 'one', 'removed', 'invalid_request'],
    ['none', 'one', 'foreign', 'invalid_request'],
    ['none', 'many', 'member', 'invalid_request'],
    ['none', 'many', 'removed', 'invalid_request'],
    ['none', 'many', 'foreign', 'invalid_request'],
    ['optional', 'none', 'removed', 'access_denied'],
    ['optional', 'none', 'foreign', 'access_denied'],
    ['optional', 'one', 'member', 'acme'],
    ['optional', 'one', 'removed', 'access_denied'],
    ['optional', 'one', 'foreign', 'access_denied'],
    ['optional', 'many', 'member', 'acme'],
    ['optional', 'many', 'removed', 'access_denied'],
    ['optional', 'many', 'foreign', 'access_denied'],
    ['required', 'none', 'removed', 'access_denied'],
    ['required', 'none', 'foreign', 'access_denied'],
    ['required', 'one', 'member', 'acme'],
    ['required', 'one', 'removed', 'access_denied'],
    ['required', 'one', 'foreign', 'access_denied'],
    ['required', 'many', 'member', 'acme'],
    ['required', 'many', 'removed', 'access_denied'],
    ['required', 'many', 'foreign', 'access_denied'],
  ]
  const cases = rows.flatMap(([mode, user, target, expected]) =>
    (['parameter', 'scope', 'resource'] as const).map((way) => ({ mode, user, target, way, expected })),
  )

  it.each(cases)('$mode, $user, $way names $target: $expected', ({ mode, user, target, way, expected }) => {
    const { requested } = requestedOrganization(ways[way](named[target]))
    expect(requested).toBe(named[target])
    expect(outcome({ mode, requested, memberships: users[user] })).toBe(expected)
  })
})

describe('a request without an organisation', () => {
  const rows: [OrganizationMode, keyof typeof users, Partial<OrganizationFacts>, string][] = [
    ['none', 'none', {}, 'personal'],
    ['none', 'many', {}, 'personal'],
    ['none', 'many', { current: 'acme', choice: 'acme' }, 'personal'],
    ['none', 'many', { prompts: true }, 'invalid_request'],
    ['none', 'many', { requested: 'personal' }, 'personal'],
    ['optional', 'none', {}, 'personal'],
    ['optional', 'none', { prompts: true }, 'personal'],
    ['optional', 'one', {}, 'ask'],
    ['optional', 'many', {}, 'ask'],
    ['optional', 'one', { requested: 'personal' }, 'personal'],
    ['optional', 'one', { current: 'personal' }, 'personal'],
    ['optional', 'many', { current: 'beta' }, 'beta'],
    ['optional', 'one', { current: 'left' }, 'ask'],
    ['optional', 'many', { current: 'beta', prompts: true }, 'ask'],
    ['optional', 'many', { current: 'beta', prompts: true, choice: 'acme' }, 'acme'],
    ['optional', 'many', { current: 'beta', choice: 'personal' }, 'personal'],
    ['optional', 'many', { choice: 'left' }, 'ask'],
    ['optional', 'many', { requested: 'acme', prompts: true }, 'invalid_request'],
    ['required', 'none', {}, 'access_denied'],
    ['required', 'none', { current: 'left', choice: 'left' }, 'access_denied'],
    ['required', 'one', {}, 'acme'],
    ['required', 'one', { prompts: true }, 'ask'],
    ['required', 'one', { requested: 'personal' }, 'invalid_request'],
    ['required', 'one', { current: 'personal' }, 'acme'],
    ['required', 'many', {}, 'ask'],
    ['required', 'many', { choice: 'personal' }, 'ask'],
    ['required', 'many', { choice: 'beta' }, 'beta'],
    ['required', 'many', { current: 'beta' }, 'beta'],
  ]

  it.each(rows)('%s, member of %s, %o: %s', (mode, user, facts, expected) => {
    expect(outcome({ mode, memberships: users[user], ...facts })).toBe(expected)
  })
})

it('a request may name the same organisation in all three ways', () => {
  expect(requestedOrganization({ parameter: 'a1', scopes: [`${URN}a1`], resources: [`${URN}a1`] })).toEqual({
    requested: 'a1',
  })
  expect(requestedOrganization({ parameter: undefined, scopes: ['openid'], resources: [] })).toEqual({})
  expect(requestedOrganization({ parameter: 'personal', scopes: [], resources: [] }).requested).toBe(
    'personal',
  )
})

it.each([
  { parameter: 'a1', scopes: [`${URN}b2`], resources: [] },
  { parameter: undefined, scopes: [`${URN}a1`, `${URN}b2`], resources: [] },
  { parameter: 'A1', scopes: [], resources: [`${URN}a1`] },
  { parameter: 'personal', scopes: [`${URN}a1`], resources: [] },
])('different organisations in one request are refused: %o', (names) => {
  expect(requestedOrganization(names).problem).toBe('the request names more than one organization')
})

it.each([
  { parameter: ' a1', scopes: [], resources: [] },
  { parameter: '', scopes: [], resources: [] },
  { parameter: ['a1', 'a1'], scopes: [], resources: [] },
  { parameter: 'a'.repeat(22), scopes: [], resources: [] },
  { parameter: 'a1\n', scopes: [], resources: [] },
  { parameter: undefined, scopes: [URN], resources: [] },
  { parameter: undefined, scopes: [], resources: [`${URN}personal`] },
  { parameter: undefined, scopes: [], resources: [`${URN}a1/b`] },
])('a malformed id is refused: %o', (names) => {
  expect(requestedOrganization(names).problem).toBe('organization must be the id of an organization')
})
