import { beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../../src/contract/errors.ts'
import { asOperator, machineToken, newMachine, type Operator } from '../../kit/clients/management-client.ts'
import { openTenant, rowsOf } from '../../kit/tenant-fixture.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Attacks on organisations through the management API (spec/organisations#api). Each is rejected, changes no row, and is
 * in the audit log if it got as far as naming an organisation or a role to change.
 */

/** A tenant with two organisations, whose first one has two owners, a machine application and a role. */
type Fixture = {
  id: string
  operator: Operator
  acme: string
  other: string
  owners: [string, string]
  member: string
  stranger: string
  machine: string
  spa: string
  role: string
  scope: string
  resourceScope: string
}

let app: TestApp
let own: Fixture
let foreign: Fixture
let reader: Operator
let writer: Operator
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  own = await openFixture('hostile-own')
  foreign = await openFixture('hostile-foreign')
  const { site, operator } = await openTenantOnce('hostile-own')
  const limited = async (role: string, scope: string) =>
    asOperator(site, await machineToken(site, await newMachine(operator, role), scope))
  reader = await limited('read-only-role', 'organizations:read')
  writer = await limited('support-role', 'organizations:write')
}, 60_000)

const tenants = new Map<string, ReturnType<typeof openTenant>>()
function openTenantOnce(id: string) {
  const tenant = tenants.get(id) ?? openTenant(app, id)
  tenants.set(id, tenant)
  return tenant
}

async function openFixture(id: string): Promise<Fixture> {
  const { operator } = await openTenantOnce(id)
  const create = async (path: string, body: object) => {
    const response = await operator.send('POST', path, body)
    if (!response.ok) throw new Error(`${path} ${await response.text()}`)
    return ((await response.json()) as { id: string }).id
  }
  const user = (username: string) => create('/users', { username, primaryEmail: `${username}@example.com` })
  const application = (type: string) =>
    create('/applications', {
      name: type,
      type,
      oidcClientMetadata: {
        redirectUris: type === 'SPA' ? ['https://shop.example/'] : [],
        postLogoutRedirectUris: [],
      },
    })
  const owners: [string, string] = [await user('first_owner'), await user('second_owner')]
  const [member, stranger] = [await user('member'), await user('stranger')]
  const acme = await create('/organizations', { name: 'Acme', ownerId: owners[0] })
  const other = await create('/organizations', { name: 'Other', ownerId: stranger })
  const role = await create('/organization-roles', { name: 'Clerk' })
  const scope = await create('/organization-scopes', { name: 'read:team' })
  const resource = await create('/resources', { name: 'Orders', indicator: 'https://api.example.com' })
  const resourceScope = await create(`/resources/${resource}/scopes`, { name: 'read', description: '' })
  const machine = await application('MachineToMachine')
  await operator.send('POST', `/organizations/${acme}/users`, { userIds: [owners[1]], roleIds: ['owner'] })
  await operator.send('POST', `/organizations/${acme}/users`, { userIds: [member], roleIds: [role] })
  await operator.send('POST', `/organizations/${acme}/applications`, { applicationIds: [machine] })
  const spa = await application('SPA')
  return { id, operator, acme, other, owners, member, stranger, machine, spa, role, scope, resourceScope }
}

type Attack = {
  name: string
  call: (facts: { own: Fixture; foreign: Fixture }) => [method: string, path: string, body?: unknown]
  code: ErrorCode
  status?: number
  /** The key of the audit entry. Reads, and calls of an invalid form, have none. */
  audit?: string
  by?: () => Operator
}

const MEMBER = 'Management.OrganizationMember'
const APPLICATION = 'Management.OrganizationApplication'
const ROLE = 'Management.OrganizationRole'
const withId = 'entity.not_exists_with_id'
const notFound = 'entity.not_found'
const invalid = 'guard.invalid_input'

/** Every verb on an organisation of another tenant. */
const foreignOrganization: Attack[] = (
  [
    ['GET', '', withId],
    ['PATCH', '', withId, 'Management.Organization.Update', { name: 'Mine' }],
    ['DELETE', '', withId, 'Management.Organization.Delete'],
    ['GET', '/users', withId],
    ['POST', '/users', withId, `${MEMBER}.Create`, 'addition'],
    ['GET', '/users/{member}', notFound],
    ['DELETE', '/users/{member}', notFound, `${MEMBER}.Delete`],
    ['GET', '/users/{member}/roles', notFound],
    ['PUT', '/users/{member}/roles', notFound, `${MEMBER}.Update`, { roleIds: [] }],
    ['GET', '/applications', withId],
    ['POST', '/applications', withId, `${APPLICATION}.Create`, 'machine'],
    ['DELETE', '/applications/{machine}', notFound, `${APPLICATION}.Delete`],
    ['GET', '/applications/{machine}/roles', notFound],
    ['PUT', '/applications/{machine}/roles', notFound, `${APPLICATION}.Update`, { roleIds: [] }],
  ] as const
).map(([method, path, code, audit, body]) => ({
  name: `${method} ${path || '/'} of an organisation of another tenant`,
  call: ({ own, foreign }) => [
    method,
    `/organizations/${foreign.acme}${path.replace('{member}', foreign.member).replace('{machine}', foreign.machine)}`,
    body === 'addition'
      ? { userIds: [own.stranger] }
      : body === 'machine'
        ? { applicationIds: [own.machine] }
        : body,
  ],
  code,
  ...(audit && { audit }),
}))

const addition = (
  name: string,
  body: (own: Fixture, foreign: Fixture) => object,
  code: ErrorCode,
): Attack => ({
  name,
  call: ({ own, foreign }) => ['POST', `/organizations/${own.acme}/users`, body(own, foreign)],
  code,
  ...(code !== invalid && { audit: `${MEMBER}.Create` }),
})

/** Values that look like the role of owners, and other ways to name a role. */
const roleSpellings: Attack[] = [
  [' owner', withId],
  ['owner ', withId],
  ['Owner', withId],
  ['OWNER', withId],
  ['ｏｗｎｅｒ', withId],
  ['owner\u200b', withId],
  ['owner\u0000', invalid],
  ['Clerk', withId],
  ['admin-role', withId],
  ['%', withId],
  [1, invalid],
  [null, invalid],
  [['owner'], invalid],
].flatMap(([roleId, code]) => {
  const quotedId = JSON.stringify(roleId)
  return [
    addition(
      `the role ${quotedId} for a new member`,
      ({ stranger }) => ({ userIds: [stranger], roleIds: [roleId] }),
      code as ErrorCode,
    ),
    {
      name: `the role ${quotedId} for a member`,
      call: ({ own }) => [
        'PUT',
        `/organizations/${own.acme}/users/${own.member}/roles`,
        { roleIds: [roleId] },
      ],
      code: code as ErrorCode,
      ...(code === withId && { audit: `${MEMBER}.Update` }),
    } satisfies Attack,
  ]
})

const members: Attack[] = [
  addition('a user of another tenant as a member', (_, { member }) => ({ userIds: [member] }), notFound),
  addition(
    'one unknown user among known ones',
    ({ stranger }) => ({ userIds: [stranger, 'none'] }),
    notFound,
  ),
  addition('a username instead of an id', () => ({ userIds: ['stranger'] }), notFound),
  addition('an address instead of an id', () => ({ userIds: ['stranger@example.com'] }), notFound),
  addition('a number as an id', () => ({ userIds: [1] }), invalid),
  addition('the number of a row as an id', () => ({ userIds: ['1'] }), notFound),
  addition('an application as a user', ({ machine }) => ({ userIds: [machine] }), notFound),
  addition(
    'a role of another tenant',
    ({ stranger }, { role }) => ({ userIds: [stranger], roleIds: [role] }),
    withId,
  ),
  addition('501 users', () => ({ userIds: Array.from({ length: 501 }, (_, at) => `user${at}`) }), invalid),
  addition(
    '21 roles',
    ({ stranger }) => ({ userIds: [stranger], roleIds: Array.from({ length: 21 }, (_, at) => `role${at}`) }),
    invalid,
  ),
  addition(
    'a source that the caller chose',
    ({ stranger }) => ({ userIds: [stranger], source: 'directory' }),
    invalid,
  ),
  {
    name: 'the removal of a member through another organisation',
    call: ({ own }) => ['DELETE', `/organizations/${own.other}/users/${own.member}`],
    code: notFound,
    audit: `${MEMBER}.Delete`,
  },
  {
    name: 'roles of a member through another organisation',
    call: ({ own }) => [
      'PUT',
      `/organizations/${own.other}/users/${own.member}/roles`,
      { roleIds: ['owner'] },
    ],
    code: notFound,
    audit: `${MEMBER}.Update`,
  },
  {
    name: 'the removal of the last owner',
    call: ({ own }) => ['DELETE', `/organizations/${own.other}/users/${own.stranger}`],
    code: 'organization.last_owner',
    audit: `${MEMBER}.Delete`,
  },
  {
    name: 'the demotion of the last owner',
    call: ({ own }) => ['PUT', `/organizations/${own.other}/users/${own.stranger}/roles`, { roleIds: [] }],
    code: 'organization.last_owner',
    audit: `${MEMBER}.Update`,
  },
  {
    name: 'an application of another tenant',
    call: ({ own, foreign }) => [
      'POST',
      `/organizations/${own.acme}/applications`,
      { applicationIds: [foreign.machine] },
    ],
    code: withId,
    audit: `${APPLICATION}.Create`,
  },
  {
    name: 'a user as an application',
    call: ({ own }) => [
      'POST',
      `/organizations/${own.acme}/applications`,
      { applicationIds: [own.stranger] },
    ],
    code: withId,
    audit: `${APPLICATION}.Create`,
  },
  {
    name: 'an application that runs in browsers',
    call: ({ own }) => ['POST', `/organizations/${own.acme}/applications`, { applicationIds: [own.spa] }],
    code: invalid,
    audit: `${APPLICATION}.Create`,
  },
]

const entities: Attack[] = [
  {
    name: 'the name of an organisation instead of its id',
    call: () => ['PATCH', '/organizations/Acme', { name: 'Mine' }],
    code: withId,
    audit: 'Management.Organization.Update',
  },
  {
    name: 'an id with a space before it',
    call: ({ own }) => ['DELETE', `/organizations/%20${own.acme}`],
    code: withId,
    audit: 'Management.Organization.Delete',
  },
  {
    name: 'an owner from another tenant',
    call: ({ foreign }) => ['POST', '/organizations', { name: 'New', ownerId: foreign.member }],
    code: notFound,
    audit: 'Management.Organization.Create',
  },
  {
    name: 'the id of an organisation that exists',
    call: ({ own }) => ['POST', '/organizations', { id: own.acme, name: 'Copy' }],
    code: 'entity.id_in_use',
    audit: 'Management.Organization.Create',
  },
  ...[
    { name: 'personal as an id', body: { id: 'personal', name: 'X' } },
    { name: 'another tenant in the body', body: { name: 'X', tenantId: 'hostile-foreign' } },
    { name: 'a creator in the body', body: { name: 'X', createdBy: 'somebody' } },
    { name: 'a name that turns the text around', body: { name: 'X\u202e' } },
    { name: 'a name of spaces', body: { name: '  ' } },
    { name: 'a network that is none', body: { name: 'X', policy: { networks: ['everywhere'] } } },
    { name: 'a logo that is a script', body: { name: 'X', brand: { logo: 'javascript:alert(1)' } } },
  ].map(({ name, body }): Attack => ({ name, call: () => ['POST', '/organizations', body], code: invalid })),
  {
    name: 'a scope of the management API for a role',
    call: ({ own }) => [
      'POST',
      `/organization-roles/${own.role}/resource-scopes`,
      { scopeIds: ['management-api-all'] },
    ],
    code: 'resource.internal_resource_violation',
    audit: `${ROLE}.Update`,
  },
  {
    name: 'a resource scope of another tenant for a role',
    call: ({ own, foreign }) => [
      'POST',
      `/organization-roles/${own.role}/resource-scopes`,
      { scopeIds: [foreign.resourceScope] },
    ],
    code: withId,
    audit: `${ROLE}.Update`,
  },
  {
    name: 'an organisation scope of another tenant for a role',
    call: ({ own, foreign }) => [
      'POST',
      `/organization-roles/${own.role}/scopes`,
      { scopeIds: [foreign.scope] },
    ],
    code: withId,
    audit: `${ROLE}.Update`,
  },
  {
    name: 'a role of another tenant to delete',
    call: ({ foreign }) => ['DELETE', `/organization-roles/${foreign.role}`],
    code: notFound,
    audit: `${ROLE}.Delete`,
  },
  {
    name: 'the owner role without permissions',
    call: () => ['PATCH', '/organization-roles/owner', { permissions: [] }],
    code: 'role.internal_role_violation',
    audit: `${ROLE}.Update`,
  },
  {
    name: 'the deletion of the owner role',
    call: () => ['DELETE', '/organization-roles/owner'],
    code: 'role.internal_role_violation',
    audit: `${ROLE}.Delete`,
  },
  {
    name: 'a role that is called Owner',
    call: () => ['POST', '/organization-roles', { name: 'Owner' }],
    code: 'role.name_in_use',
    audit: `${ROLE}.Create`,
  },
  {
    name: 'a permission that does not exist',
    call: () => ['POST', '/organization-roles', { name: 'X', permissions: ['owner'] }],
    code: invalid,
  },
]

const queries: Attack[] = [
  ...['page=99999999999999999', 'page_size=101', 'page=-1', 'page=1e9', 'page_size=0', 'page=1&page=2'].map(
    (query): Attack => ({
      name: `a list with ${query}`,
      call: ({ own }) => ['GET', `/organizations/${own.acme}/users?${query}`],
      code: 'guard.invalid_pagination',
    }),
  ),
  ...['search.tenantId=x', 'search.passwordEncrypted=%25', 'search.__proto__=x', 'search='].map(
    (query): Attack => ({
      name: `a list with ${query}`,
      call: ({ own }) => ['GET', `/organizations/${own.acme}/users?${query}`],
      code: 'request.invalid_input',
    }),
  ),
  {
    name: 'a search for addresses without the scope to read users',
    call: ({ own }) => ['GET', `/organizations/${own.acme}/users?search.primaryEmail=member%25`],
    code: 'request.invalid_input',
    by: () => reader,
  },
]

const limitedCallers: Attack[] = [
  {
    name: 'a change by a caller who may only read',
    call: ({ own }) => ['PATCH', `/organizations/${own.acme}`, { name: 'Mine' }],
    code: 'auth.forbidden',
    by: () => reader,
  },
  {
    name: 'a scope for a role by a caller who may only change organisations',
    call: ({ own }) => ['POST', `/organization-roles/${own.role}/scopes`, { scopeIds: [own.scope] }],
    code: 'auth.forbidden',
    by: () => writer,
  },
]

const attacks = [
  ...foreignOrganization,
  ...roleSpellings,
  ...members,
  ...entities,
  ...queries,
  ...limitedCallers,
]

const organizationRows = async () => {
  const rows = await Promise.all([own, foreign].map(({ id }) => rowsOf(app, id)))
  return rows.map((tables) =>
    Object.fromEntries(Object.entries(tables).filter(([table]) => table.startsWith('organization'))),
  )
}

/** The keys of the audit entries about rejected calls, sorted. */
async function refusedKeys(): Promise<string[]> {
  const { results } = await app.env.DB.prepare(
    "select key from logs where tenant_id = ? and payload ->> '$.result' = 'Error' order by key",
  )
    .bind(own.id)
    .all<{ key: string }>()
  return results.map(({ key }) => key)
}

describe('a hostile call', () => {
  it('is rejected, audited and changes nothing, whatever it tries', async () => {
    const before = await organizationRows()
    expect(attacks.length).toBeGreaterThanOrEqual(40)
    for (const { name, call, code, by } of attacks) {
      const [method, path, body] = call({ own, foreign })
      const response = await (by?.() ?? own.operator).send(method, path, body)
      expect([name, ((await response.json()) as { code: string }).code]).toEqual([name, code])
    }
    expect(await refusedKeys()).toEqual(attacks.flatMap(({ audit }) => audit ?? []).toSorted())
    expect(await organizationRows()).toEqual(before)
  })

  it.each([
    "roleId=' or '1'='1",
    'roleId=owner%27%20--',
    "search=Zoe%' or 1=1 --&mode=like",
    'search=stranger&mode=exact',
  ])('finds nobody by the filter %s', async (query) => {
    const response = await own.operator.get(`/organizations/${own.acme}/users?${encodeURI(query)}`)
    expect([response.status, await response.json()]).toEqual([200, []])
  })

  it('cannot change the prototype of objects with custom data', async () => {
    const customData = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}'
    const body = `{"name":"Acme","customData":${customData}}`
    const { site } = await openTenantOnce(own.id)
    const response = await site.fetch(`/api/organizations/${own.acme}`, {
      method: 'PATCH',
      body,
      headers: { authorization: `Bearer ${own.operator.token}`, 'content-type': 'application/json' },
    })
    expect(response.status).toBe(200)
    const changed: { customData: { isAdmin?: boolean } } = await response.json()
    expect([changed.customData.isAdmin, ({} as { isAdmin?: boolean }).isAdmin]).toEqual([
      undefined,
      undefined,
    ])
  })

  it('cannot demote the last two owners at the same time', async () => {
    const demote = (userId: string) =>
      own.operator.send('PUT', `/organizations/${own.acme}/users/${userId}/roles`, { roleIds: [] })
    const responses = await Promise.all(own.owners.map(demote))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const owners = await own.operator.get(`/organizations/${own.acme}/users?roleId=owner`)
    expect(await owners.json()).toHaveLength(1)
  })
})
