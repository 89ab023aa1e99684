import { describe, expect, it } from 'vitest'
import { MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE, SERVICES_RESOURCE } from '../../../src/contract/product.ts'
import { findResourceProblem, findScopeProblem } from '../../../src/domain/access/resource-rules.ts'
import {
  findAccessProblems,
  isBuiltInResource,
  MAX_SIGN_IN_AGE_SECONDS,
  mayRequestResource,
} from '../../../src/domain/applications/resource-access.ts'

const violation = expect.objectContaining({ code: 'resource.internal_resource_violation' })
const { indicator } = MANAGEMENT_RESOURCE

describe('a built-in resource', () => {
  it.each([
    ['its own indicator', { indicator }],
    ['no fields', {}],
    ['the shortest lifetime', { accessTokenTtl: 60 }],
  ])('can have %s', (_what, change) => {
    expect(findResourceProblem(MANAGEMENT_RESOURCE.id, change)).toBeNull()
  })

  it.each([
    ['another indicator', { indicator: 'https://api.example' }],
    ['a lifetime that is too short to use a token', { accessTokenTtl: 59 }],
    ['another indicator and a lifetime', { indicator: 'https://api.example', accessTokenTtl: 60 }],
    ['deletion', 'delete' as const],
  ])('cannot have %s', (_what, change) => {
    expect(findResourceProblem(MANAGEMENT_RESOURCE.id, change)).toEqual(violation)
    expect(findResourceProblem(SERVICES_RESOURCE.id, change)).toEqual(violation)
    expect(findResourceProblem('r1', change)).toBeNull()
  })

  it('has fixed scopes and scope names', () => {
    expect(findScopeProblem(MANAGEMENT_SCOPE.id, { name: 'all' })).toBeNull()
    expect(findScopeProblem(MANAGEMENT_SCOPE.id, { name: 'some' })).toEqual(violation)
    expect(findScopeProblem(MANAGEMENT_SCOPE.id, 'delete')).toEqual(violation)
    expect(findScopeProblem('send-sms', 'delete')).toEqual(violation)
    expect(findScopeProblem('s1', 'delete')).toBeNull()
  })
})

describe('a token for a resource', () => {
  const ownApi = 'https://api.example'

  it.each([
    { who: 'any application', lists: {}, resource: ownApi, owner: 'user', isAllowed: true },
    {
      who: 'an application that lists it',
      lists: { allowedResources: [ownApi] },
      resource: ownApi,
      owner: 'user',
      isAllowed: true,
    },
    {
      who: 'an application that lists none',
      lists: { allowedResources: [] },
      resource: ownApi,
      owner: 'user',
      isAllowed: false,
    },
    {
      who: 'a machine that lists none',
      lists: { allowedResources: [] },
      resource: ownApi,
      owner: 'application',
      isAllowed: false,
    },
    { who: 'any application', lists: {}, resource: indicator, owner: 'user', isAllowed: false },
    { who: 'a machine', lists: {}, resource: indicator, owner: 'application', isAllowed: true },
    {
      who: 'an application that lists it as its own',
      lists: { allowedResources: [indicator] },
      resource: indicator,
      owner: 'user',
      isAllowed: false,
    },
    {
      who: 'an application that lists it',
      lists: { allowedBuiltInResources: [indicator] },
      resource: indicator,
      owner: 'user',
      isAllowed: true,
    },
    {
      who: 'an application that lists another',
      lists: { allowedBuiltInResources: [SERVICES_RESOURCE.indicator] },
      resource: indicator,
      owner: 'user',
      isAllowed: false,
    },
    {
      who: 'a third party that lists it',
      lists: { allowedBuiltInResources: [indicator], isThirdParty: true },
      resource: indicator,
      owner: 'user',
      isAllowed: false,
    },
  ] as const)(
    'can be requested by $who for a $owner and the resource $resource: $isAllowed',
    ({ lists, resource, owner, isAllowed }) => {
      expect(
        mayRequestResource({ ...lists } as Parameters<typeof mayRequestResource>[0], resource, owner),
      ).toBe(isAllowed)
    },
  )

  it('requires a sign-in within the last hour if the resource is built in', () => {
    expect(MAX_SIGN_IN_AGE_SECONDS).toBe(3600)
    expect(isBuiltInResource(indicator)).toBe(true)
    expect(isBuiltInResource(ownApi)).toBe(false)
  })

  it('is not available to third parties if the resource is built in', () => {
    const path = ['customClientMetadata', 'allowedBuiltInResources']
    expect(findAccessProblems({ isThirdParty: true, allowedBuiltInResources: [indicator] })).toEqual([
      { path, message: 'must be empty for third-party applications' },
    ])
    expect(findAccessProblems({ isThirdParty: true, allowedBuiltInResources: [] })).toEqual([])
    expect(findAccessProblems({ isThirdParty: true })).toEqual([])
    expect(findAccessProblems({ allowedBuiltInResources: [indicator] })).toEqual([])
  })
})

it('an application that registered itself must remain a third party', () => {
  const dynamicRegistration = { authMethod: 'none' as const, scopes: [] }
  expect(findAccessProblems({ dynamicRegistration })).toEqual([
    { path: ['customClientMetadata', 'isThirdParty'], message: expect.stringContaining('must be true') },
  ])
  expect(findAccessProblems({ dynamicRegistration, isThirdParty: true })).toEqual([])
})
