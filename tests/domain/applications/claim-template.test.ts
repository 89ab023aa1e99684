import { expect, it } from 'vitest'
import { MAX_CLAIMS_BYTES } from '../../../src/contract/applications/claim-template.ts'
import { findTemplateProblems } from '../../../src/domain/applications/claim-template.ts'
import { claimsByScope } from '../../../src/domain/applications/claims.ts'
import {
  areClaimsTooLarge,
  type ClaimSubject,
  claimNames,
  isTemplateClaimId,
  refersTo,
  resolveClaims,
  templateClaimId,
  toClaimSubject,
} from '../../../src/domain/applications/template-claims.ts'

const subject: ClaimSubject = toClaimSubject(
  {
    username: 'ada',
    name: '<b>Ada</b>',
    primaryEmail: 'ada@example.com',
    primaryPhone: '4930123',
    avatar: null,
    profile: { nickname: '', address: { country: 'DE' } },
    customData: {
      department: 'Research',
      level: 3,
      teams: ['red', 'blue'],
      nothing: null,
      deep: { a: { b: 1 } },
    },
  },
  { roles: ['clerk'], scopes: ['read'] },
)

const messagesOf = (template: object, owner: 'application' | 'resource' = 'application') =>
  findTemplateProblems(template as Record<string, unknown>, owner).map(({ message }) => message)

// A text because a literal would set the prototype.
const parsed = (text: string): Record<string, unknown> => JSON.parse(text)

it.each([
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'nonce', 'acr', 'amr', 'auth_time', 'azp', 'scope'],
  ...['client_id', 'cnf', 'act', 'org_id', 'events', 'sid', 'grant_id', 'at_hash', '_claim_sources'],
  // Some JSON libraries ignore case, also that of the long s, when they match names to fields.
  ...['Sub', 'SCOPE', '\u017fub', '_Claim_Names'],
  ...Object.values(claimsByScope).flat(),
])('a template of an application cannot define the claim %s', (name) => {
  expect(messagesOf({ [name]: 1 })).toEqual(['is reserved, because tokens have a claim of this name already'])
})

it('a template of a resource can repeat the scopes as permissions, and nothing else', () => {
  expect(messagesOf({ permissions: '$.scopes' }, 'resource')).toEqual([])
  for (const template of [{ permissions: '$.username' }, { permissions: ['$.scopes'] }, { roles: '$.roles' }])
    expect(messagesOf(template, 'resource')).toHaveLength(1)
})

it.each([
  { template: { plan: 'gold', limit: 1.5, isBeta: true, nothing: null, list: [1, ['$.username']] } },
  { template: { 'https://example.com/claims/abteilung': '$.customData.department', Größe: '$' } },
  { template: { address2: { country: '$.profile.address.country', kind: '$notAPath' } } },
  { template: { a: [[[[['$.roles']]]]] } },
  { template: {} },
])('the template $template can be stored', ({ template }) => {
  expect(messagesOf(template)).toEqual([])
})

it.each([
  { template: { a: '$.password' }, problem: 'begins with none of $.username' },
  { template: { a: '$.passwordEncrypted' }, problem: 'begins with none of $.username' },
  { template: { a: '$.identities.google' }, problem: 'begins with none of $.username' },
  { template: { a: ['$.constructor'] }, problem: 'begins with none of $.username' },
  { template: { a: '$.__proto__.x' }, problem: 'begins with none of $.username' },
  { template: { a: '$.' }, problem: 'a part that is empty' },
  { template: { a: '$.customData..x' }, problem: 'a part that is empty' },
  { template: { a: '$.customData' }, problem: 'names no value below its first part' },
  { template: { a: '$.profile' }, problem: 'names no value below its first part' },
  { template: { a: '$.profile.birthday' }, problem: 'names no value below its first part' },
  { template: { a: '$.profile.toString' }, problem: 'names no value below its first part' },
  { template: { a: '$.username.length' }, problem: 'names no value below its first part' },
  { template: { a: '$.roles.0' }, problem: 'names no value below its first part' },
  { template: { a: `$.customData${'.a'.repeat(8)}` }, problem: 'more than 8 parts' },
  { template: { a: [[[[[[1]]]]]] }, problem: 'nested more than 5 levels deep' },
  {
    template: { a: parsed('{"x":{"__proto__":{"isAdmin":true}}}') },
    problem: 'a property with a name that objects inherit',
  },
  { template: parsed('{"__proto__":1}'), problem: 'must have a name of 1 to 64 visible characters' },
  { template: { constructor: 1 }, problem: 'must have a name of 1 to 64 visible characters' },
  { template: { 'two words': 1 }, problem: 'must have a name of 1 to 64 visible characters' },
  { template: { '': 1 }, problem: 'must have a name of 1 to 64 visible characters' },
  { template: { 'plan\u202e': 1 }, problem: 'must have a name of 1 to 64 visible characters' },
  { template: { ['a'.repeat(65)]: 1 }, problem: 'must have a name of 1 to 64 visible characters' },
  { template: parsed('{"a":1e400}'), problem: 'contains a number' },
  { template: parsed('{"a":12345678901234567890}'), problem: 'contains a number' },
  { template: { a: 'x\0' }, problem: 'contains characters that cannot be stored' },
  { template: { a: '\ud800' }, problem: 'contains characters that cannot be stored' },
])('the template $template cannot be stored, because it $problem', ({ template, problem }) => {
  expect(messagesOf(template)).toEqual([expect.stringContaining(problem)])
})

it('a template cannot be larger than 2 kB, counted in bytes', () => {
  const fits = 'ä'.repeat((MAX_CLAIMS_BYTES - '{"a":""}'.length) / 2)
  expect(messagesOf({ a: fits })).toEqual([])
  expect(messagesOf({ a: `${fits}x` })).toEqual([
    `must have at most ${MAX_CLAIMS_BYTES.toLocaleString('en')} bytes as JSON`,
  ])
})

it('paths are replaced by the values of the user, as they are', () => {
  const template = {
    name2: '$.name',
    phone: '$.primaryPhone',
    hasura: { roles: '$.roles', scopes: ['$.scopes', 'fixed'] },
    department: '$.customData.department',
    second: '$.customData.teams.1',
    deep: '$.customData.deep',
    plan: 'gold',
  }
  expect(resolveClaims(template, subject)).toEqual({
    name2: '<b>Ada</b>',
    phone: '+4930123',
    hasura: { roles: ['clerk'], scopes: [['read'], 'fixed'] },
    department: 'Research',
    second: 'blue',
    deep: { a: { b: 1 } },
    plan: 'gold',
  })
})

it('a path without a value omits its claim, item or property', () => {
  const template = {
    avatar: '$.avatar',
    nickname2: '$.profile.nickname',
    nothing: '$.customData.nothing',
    unknown: '$.customData.unknown.deeper',
    ofText: '$.customData.department.length',
    ofList: '$.customData.teams.length',
    inherited: '$.customData.toString',
    prototype2: '$.customData.__proto__.toString',
    list: ['$.avatar', '$.username'],
    object: { a: '$.avatar', b: '$.username' },
    constant: null,
  }
  expect(resolveClaims(template, subject)).toEqual({ list: ['ada'], object: { b: 'ada' }, constant: null })
})

it('a token without a user has only claims that consist of constants', () => {
  const template = {
    plan: 'gold',
    kind: ['machine'],
    who: { type: 'user', name: '$.username' },
    roles2: '$.roles',
  }
  expect(resolveClaims(template, null)).toEqual({ plan: 'gold', kind: ['machine'] })
})

it('claims can be too large although their template is not', () => {
  const customData = { text: 'x'.repeat(MAX_CLAIMS_BYTES) }
  const claims = resolveClaims({ text: '$.customData.text' }, { ...subject, customData })
  expect(areClaimsTooLarge(claims)).toBe(true)
  expect(areClaimsTooLarge({ text: 'x'.repeat(2000) })).toBe(false)
})

it('a template refers to roles if a path anywhere in it does', () => {
  expect(refersTo({ a: [{ b: '$.roles' }] }, 'roles')).toBe(true)
  expect(refersTo({ a: '$.customData.roles', b: 'roles' }, 'roles')).toBe(false)
})

it('a consent to a claim covers its data and its recipient, but not the form of its value', () => {
  const id = templateClaimId('department', ['$.username', '$.customData.department'])
  expect(templateClaimId('department', { a: '$.customData.department', b: '$.username' })).toBe(id)
  const others = [
    templateClaimId('department', '$.customData.department'),
    templateClaimId('department', 'Research'),
    templateClaimId('department', ['$.username', '$.customData.department'], 'https://api.example'),
    templateClaimId('dept', ['$.username', '$.customData.department']),
  ]
  expect(new Set([id, ...others]).size).toBe(5)
  expect(claimNames([id, ...others, 'email'])).toEqual(['department', 'dept', 'email'])
  expect([id, 'email'].map(isTemplateClaimId)).toEqual([true, false])
})
