import { describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import { MANAGEMENT_RESOURCE, SERVICES_RESOURCE } from '../../../src/contract/product.ts'
import type { TenantSettings } from '../../../src/contract/tenants/settings.ts'
import {
  findMissingScopes,
  isInternalRole,
  operatorScopes,
} from '../../../src/domain/access/administration.ts'
import { createAgreement, newAccountForm } from '../../../src/domain/access/invited-account.ts'
import {
  getSettingsRequirement,
  isOwnerSetting,
  isProtectedChange,
  isProtectedExperienceChange,
} from '../../../src/domain/access/protected-changes.ts'
import { scopesForClient } from '../../../src/domain/applications/resource-access.ts'

const management = (...names: string[]) =>
  names.map((name) => ({ indicator: MANAGEMENT_RESOURCE.indicator, name }))
const service = (...names: string[]) =>
  names.map((name) => ({ indicator: SERVICES_RESOURCE.indicator, name }))

describe('the scopes that a caller lacks to change another user’s access', () => {
  it.each([
    { own: ['all'], holder: [...management('all', 'users:write'), ...service('manage:tenant')], missing: [] },
    { own: [], holder: [], missing: [] },
    { own: ['users:write'], holder: management('users:write'), missing: [] },
    {
      own: ['users:write'],
      holder: management('users:write', 'users:read', 'logs:read', 'users:read'),
      missing: ['users:read', 'logs:read'],
    },
    { own: ['users:write'], holder: management('all'), missing: ['all'] },
    { own: ['users:write'], holder: management('added:scope'), missing: [] },
    // Administrators of the deployment can do everything in a tenant.
    { own: ['users:write'], holder: service('manage:tenant'), missing: ['all'] },
    { own: ['users:write'], holder: service('send:email', 'create:tenant'), missing: [] },
    { own: [], holder: [{ indicator: 'https://api.example', name: 'users:write' }], missing: [] },
  ])('are $missing for a caller with $own and a user with $holder', ({ own, holder, missing }) => {
    expect(findMissingScopes(new Set(own), holder)).toEqual(missing)
  })

  it('are taken from the scopes that make a user an operator', () => {
    expect(operatorScopes).toContainEqual(management('all')[0])
    expect(operatorScopes).toContainEqual(management('logs:read')[0])
    expect(operatorScopes.filter(({ indicator }) => indicator === SERVICES_RESOURCE.indicator)).toEqual(
      service('manage:tenant'),
    )
  })
})

it.each([
  ['#internal:admin', true],
  ['#Internal:other', true],
  ['internal:admin', false],
  ['admin #internal:', false],
  ['#internal', false],
  ['clerk', false],
])('the role %s is internal: %s', (name, isInternal) => {
  expect(isInternalRole(name)).toBe(isInternal)
})

it('the console gets only the scope for managing tenants of the services API', () => {
  const services = { indicator: SERVICES_RESOURCE.indicator, scopes: ['create:tenant', 'manage:tenant'] }
  const api = { indicator: MANAGEMENT_RESOURCE.indicator, scopes: ['all'] }
  expect(scopesForClient('console', services)).toEqual(['manage:tenant'])
  expect(scopesForClient('console', api)).toEqual(api.scopes)
  expect(scopesForClient('shop', services)).toEqual(services.scopes)
})

describe('the form for an invited owner', () => {
  const method = (identifier: 'username' | 'email' | 'phone', password = true) => ({
    identifier,
    password,
    verificationCode: !password,
    isPasswordPrimary: password,
  })
  const signUp = (...identifiers: ('username' | 'email' | 'phone')[]) => ({
    signUp: { identifiers, password: true, verify: false },
  })
  const all = { signIn: { methods: [method('username'), method('email'), method('phone')] } }

  it.each([
    { settings: { ...all, ...signUp('email') }, identifiers: ['email'] },
    { settings: { ...all, ...signUp('email', 'username') }, identifiers: ['username', 'email'] },
    { settings: { ...all, ...signUp('phone') }, identifiers: ['username', 'email'] },
    { settings: { ...all, ...signUp() }, identifiers: ['username', 'email'] },
    {
      settings: { signIn: { methods: [method('username'), method('email', false)] }, ...signUp('email') },
      identifiers: ['username'],
    },
    { settings: { signIn: { methods: [method('phone')] }, ...signUp('phone') }, identifiers: [] },
  ])('offers $identifiers for $settings', ({ settings, identifiers }) => {
    const form = newAccountForm(settings, { email: null, isProven: false })
    expect(form?.identifiers ?? []).toEqual(identifiers)
  })

  const withCodes = { ...method('email'), verificationCode: true }
  it.each([
    { of: 'a password', methods: [withCodes], password: true, isProven: true, hasPassword: true },
    { of: 'no password', methods: [withCodes], password: false, isProven: true, hasPassword: false },
    { of: 'no proven address', methods: [withCodes], password: false, isProven: false, hasPassword: true },
    { of: 'no codes', methods: [method('email')], password: false, isProven: true, hasPassword: true },
  ])('asks for a password: $hasPassword, given $of', ({ methods, password, isProven, hasPassword }) => {
    const signUpSettings = { identifiers: ['email' as const], password, verify: true }
    const settings = { signIn: { methods }, signUp: signUpSettings }
    const email = 'ann@example.com'
    expect(newAccountForm(settings, { email, isProven })).toEqual({
      identifiers: ['email'],
      email,
      hasPassword,
    })
  })

  it('contains the agreement to the terms, if there are any', () => {
    const { agreeToTermsPolicy: policy } = DEFAULT_EXPERIENCE
    const terms = {
      termsOfUseUrl: 'https://a.example/terms',
      privacyPolicyUrl: null,
      agreeToTermsPolicy: policy,
    }
    expect(createAgreement(terms, 7)).toEqual({
      agreedAt: 7,
      policy,
      termsOfUseUrl: 'https://a.example/terms',
      privacyPolicyUrl: null,
    })
    expect(createAgreement({ ...terms, termsOfUseUrl: null }, 7)).toBeUndefined()
  })
})

describe('a protected change', () => {
  it.each([
    [['smsCountries'], 'scope'],
    [['storageProvider', 'demoSocial'], 'scope'],
    [['smsCountries', 'accountCentre'], 'recentSignIn'],
    [['clientRegistration'], 'recentSignIn'],
    [['accountCentre', 'limits', 'smsCountries'], 'owner'],
    [['previewOrigins'], 'owner'],
    [[], 'scope'],
  ] as const)('is detected for the settings %j, and requires %s', (names, requirement) => {
    const patch = Object.fromEntries(names.map((name) => [name, null])) as Partial<TenantSettings>
    expect(getSettingsRequirement(patch)).toBe(requirement)
  })

  it('can be reserved for owners if it affects a setting', () => {
    const names = ['limits', 'accountCentre', 'smsCountries'] as const
    expect(names.map(isOwnerSetting)).toEqual([true, false, false])
  })

  it.each([
    [['customCss'], true],
    [['color', 'signInMode'], true],
    [['color', 'branding', 'layout'], false],
    [[], false],
  ])('can affect the fields %j of the experience: %s', (names, isProtected) => {
    expect(isProtectedExperienceChange(Object.fromEntries(names.map((name) => [name, null])))).toBe(
      isProtected,
    )
  })

  it.each([
    ['application', { name: 'Shop', description: 'Sells' }, false],
    ['application', { name: 'Shop', type: 'SPA' }, true],
    ['role', { description: 'Sells' }, false],
    ['role', { name: 'clerk' }, true],
    ['resource', { name: 'API' }, false],
    ['resource', { indicator: 'https://api.example' }, true],
    ['resource', { accessTokenTtl: 60 }, true],
    ['role', {}, false],
  ] as const)('can affect an entity of the kind %s by setting %j: %s', (entity, changes, isProtected) => {
    expect(isProtectedChange(entity, changes)).toBe(isProtected)
  })
})
