import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { outcomeOf } from '../../kit/clients/interaction-client.ts'
import { asOperator, machineToken, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { atOrigin, openTestApp, type TestApp } from '../../kit/test-app.ts'
import { newClient } from '../../security/parties.ts'

const SERVICES = 'urn:vestibule:services'

type Created = {
  id: string
  createdAt: number
  origin: string | null
  application: { id: string; name: string; secret: string }
  invitation: { url: string; expiresAt: number } | null
}

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

/** Creates an application of the default tenant with these roles. */
async function newApplication(...roleIds: string[]) {
  const created = await operator.send('POST', '/applications', {
    name: freshName(),
    type: 'MachineToMachine',
    oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] },
  })
  const application = (await created.json()) as { id: string; secret: string }
  for (const roleId of roleIds)
    await operator.send('POST', `/roles/${roleId}/applications`, { applicationIds: [application.id] })
  // Assigning a role may replace the secret, so read the application again.
  return (await (await operator.get(`/applications/${application.id}`)).json()) as {
    id: string
    secret: string
  }
}

const caller = async (application: { id: string; secret: string }, scope: string) =>
  asOperator(app, await machineToken(app, application, scope, SERVICES))

const manager = async () =>
  caller({ id: 'management', secret: app.env.MANAGEMENT_CLIENT_SECRET ?? '' }, 'manage:tenant')
const newCreator = async () => caller(await newApplication('user'), 'create:tenant manage:tenant')

const freshId = () => freshName().replace('_', '-')
const create = (who: Operator, body: object = {}) => who.send('POST', '/tenants', body)

it('a new tenant has the default registration roles', async () => {
  const other = openTestApp({ USER_DEFAULT_ROLE_NAMES: 'user, member' })
  const services = asOperator(
    other,
    await machineToken(
      other,
      { id: 'management', secret: app.env.MANAGEMENT_CLIENT_SECRET ?? '' },
      'manage:tenant',
      SERVICES,
    ),
  )
  const { origin, application } = (await (await create(services)).json()) as Created
  const site = atOrigin(other, origin ?? '')
  const owner = asOperator(site, await machineToken(site, application))
  const roles = (await (await owner.get('/roles')).json()) as { name: string }[]
  expect(roles.map(({ name }) => name).sort()).toEqual(['member', 'tenantApplication', 'user'])
})

describe('creating a tenant', () => {
  it('returns credentials for the new tenant and stores its initial data', async () => {
    const response = await create(await newCreator())
    expect(response.status).toBe(200)
    const tenant = (await response.json()) as Created
    expect(tenant).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{12}$/),
      createdAt: expect.any(Number),
      origin: `http://${tenant.id}.localhost:8787`,
      application: { id: expect.any(String), name: expect.any(String), secret: expect.any(String) },
      invitation: {
        url: expect.stringMatching(new RegExp(`^${tenant.origin}/account/invitation\\?token=\\w{43}$`)),
        expiresAt: tenant.createdAt + 600_000,
      },
    })
    expect((await app.fetch(tenant.invitation?.url ?? '')).status).toBe(200)
    const elsewhere = tenant.invitation?.url.replace(`${tenant.id}.localhost`, 'localhost') ?? ''
    expect((await app.fetch(elsewhere)).status).toBe(404)

    const site = atOrigin(app, tenant.origin ?? '')
    const owner = asOperator(site, await machineToken(site, tenant.application))
    expect(await (await owner.get('/users')).json()).toEqual([])
    expect(await (await owner.get(`/applications/${tenant.application.id}`)).json()).toMatchObject({
      tenantId: tenant.id,
      isAdmin: true,
    })
    const roles: { name: string }[] = await (await owner.get('/roles')).json()
    expect(roles.map(({ name }) => name)).toEqual(['tenantApplication', 'user'])
    expect((await owner.send('POST', '/users', { username: freshName() })).status).toBe(200)
  })

  it('is allowed for a user who signs in through an application', async () => {
    const client = newCookieClient(app)
    const username = freshName()
    const resource = { resource: SERVICES }
    const application = await newClient(app, 'SPA', { custom: { allowedBuiltInResources: [SERVICES] } })
    const request = await authorizationRequest({
      scope: 'openid create:tenant',
      client_id: application.id,
      redirect_uri: application.redirectUri,
      ...resource,
    })
    const uid = await openSignInPage(client, request)
    await resumeAuthorization(client, await registerAccount(client, uid, username))
    const [user] = (await (await operator.get(`/users?search.username=${username}`)).json()) as {
      id: string
    }[]
    await operator.send('POST', '/roles/user/users', { userIds: [user?.id] })

    // The role now gives the user the scope.
    const back = new URL((await client.get(request.url)).headers.get('location') ?? '')
    const redeemed = await app.fetch('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: application.id,
        code: back.searchParams.get('code') ?? '',
        code_verifier: request.verifier,
        redirect_uri: request.redirectUri,
        ...resource,
      }),
    })
    const { access_token: token } = (await redeemed.json()) as { access_token: string }
    const creator = asOperator(app, token)
    expect((await create(creator)).status).toBe(200)
    expect(await (await creator.get('/tenants')).json()).toHaveLength(1)
    expect(await outcomeOf(await create(creator))).toEqual([409, 'tenant.limit_reached'])
  })

  it('is recorded in the audit log of the calling application’s tenant', async () => {
    const id = freshId()
    await create(await manager(), { id })
    const logs: { payload: Record<string, unknown> }[] = await (
      await operator.get('/logs?logKey=Management.Tenant.Create')
    ).json()
    expect(logs.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ tenantId: id, result: 'Success', actor: { type: 'app', id: 'management' } }),
    )
  })

  it('makes the new tenant’s host available immediately', async () => {
    const id = freshId()
    const address = `http://${id}.localhost:8787/api/status`
    expect((await app.fetch(address)).status).toBe(404)
    await create(await manager(), { id })
    expect((await app.fetch(address)).status).toBe(204)
  })

  it('is allowed once with create:tenant and without limit with manage:tenant', async () => {
    const creator = await newCreator()
    expect((await create(creator)).status).toBe(200)
    expect(await outcomeOf(await create(creator))).toEqual([409, 'tenant.limit_reached'])

    const administrator = await caller(await newApplication('admin-role'), 'create:tenant manage:tenant')
    expect((await create(administrator)).status).toBe(200)
    expect((await create(administrator)).status).toBe(200)
  })

  it('is allowed only once, even if calls run concurrently', async () => {
    const creator = await newCreator()
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(creator)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(3).fill(409)])
    expect(await (await creator.get('/tenants')).json()).toHaveLength(1)
  })

  it('is not allowed with create:tenant if the caller already created a tenant with manage:tenant', async () => {
    const application = await newApplication('admin-role')
    await create(await caller(application, 'manage:tenant'))
    const creator = await caller(application, 'create:tenant')
    expect(await outcomeOf(await create(creator))).toEqual([409, 'tenant.limit_reached'])
  })

  it('accepts a custom id only with manage:tenant', async () => {
    const id = freshId()
    const response = await create(await manager(), { id })
    expect(await response.json()).toMatchObject({ id, origin: `http://${id}.localhost:8787` })
    expect(await outcomeOf(await create(await manager(), { id }))).toEqual([422, 'entity.id_in_use', { id }])
    expect(await outcomeOf(await create(await manager(), { id: 'default' }))).toEqual([
      422,
      'entity.id_in_use',
      { id: 'default' },
    ])
    expect(await outcomeOf(await create(await newCreator(), { id: freshId() }))).toEqual([
      403,
      'auth.forbidden',
    ])
  })

  it.each(['', 'Upper', 'a_b', '-a', 'a-', 'a.b', 'x'.repeat(22), 1])(
    'rejects an id that cannot be part of a host name: "%s"',
    async (id) => {
      const [status, code] = await outcomeOf(await create(await manager(), { id }))
      expect([status, code]).toEqual([400, 'guard.invalid_input'])
    },
  )

  it('stores nothing if it fails', async () => {
    const counts = () =>
      app.env.DB.prepare(
        'select (select count(*) from tenants) as tenants, (select count(*) from tenant_owners) as owners, (select count(*) from applications) as applications',
      ).first()
    const creator = await newCreator()
    await create(creator)
    const before = await counts()
    await create(creator)
    await create(await manager(), { id: 'default' })
    expect(await counts()).toEqual(before)
  })

  it('returns a null origin if no host is configured for the tenant', async () => {
    const deployed = openTestApp({ ENVIRONMENT: 'production', HOSTS: 'id.example.com' })
    const site = atOrigin(deployed, 'https://id.example.com')
    const secret = app.env.MANAGEMENT_CLIENT_SECRET ?? ''
    const token = await machineToken(site, { id: 'management', secret }, 'manage:tenant', SERVICES)
    expect(await (await create(asOperator(site, token))).json()).toMatchObject({ origin: null })
  })
})

describe('the list of tenants', () => {
  it('contains the caller’s own tenants or, with manage:tenant, all of them, newest first', async () => {
    const creator = await newCreator()
    expect(await (await creator.get('/tenants')).json()).toEqual([])
    const {
      application: _application,
      invitation: _invitation,
      ...tenant
    } = (await (await create(creator)).json()) as Created
    expect(await (await creator.get('/tenants')).json()).toEqual([tenant])

    const listed = await (await manager()).get('/tenants?page_size=100')
    const all: { id: string; origin: string }[] = await listed.json()
    const ids = all.map(({ id }) => id)
    expect(ids.filter((id) => id === tenant.id || id === 'default')).toEqual([tenant.id, 'default'])
    expect(all.find(({ id }) => id === 'default')?.origin).toBe(ORIGIN)
    expect(listed.headers.get('total-number')).toBe(String(all.length))
  })

  it('is paged', async () => {
    const some = await (await manager()).get('/tenants?page=1&page_size=1')
    expect(await some.json()).toHaveLength(1)
    expect(some.headers.get('link')).toContain('rel="next"')
    expect(await outcomeOf(await (await manager()).get('/tenants?page=0'))).toEqual([
      400,
      'guard.invalid_pagination',
    ])
  })
})

describe('authorization to manage tenants', () => {
  it.each(['GET', 'POST'])('fails without a token: %s', async (method) => {
    const response = await app.fetch('/api/tenants', { method })
    expect(await outcomeOf(response)).toEqual([401, 'auth.authorization_header_missing'])
  })

  it('[ASVS-8.2.1-2] fails with a token for another resource', async () => {
    expect(await outcomeOf(await operator.get('/tenants'))).toEqual([401, 'auth.unauthorized'])
    const sender = await caller(await newApplication('tenant-app'), 'send:email')
    expect(await outcomeOf(await sender.get('/tenants'))).toEqual([403, 'auth.forbidden'])
  })

  it('[ASVS-8.3.2-2] fails after the caller has lost the role', async () => {
    const application = await newApplication('user')
    const creator = await caller(application, 'create:tenant')
    await operator.send('DELETE', `/roles/user/applications/${application.id}`)
    expect(await outcomeOf(await create(creator))).toEqual([403, 'auth.forbidden'])
  })

  it('fails for callers from another tenant regardless of their scopes', async () => {
    const tenant = (await (await create(await manager())).json()) as Created
    const site = atOrigin(app, tenant.origin ?? '')
    const token = await machineToken(site, tenant.application, 'create:tenant manage:tenant', SERVICES)
    const owner = asOperator(site, token)
    expect(await outcomeOf(await owner.get('/tenants'))).toEqual([403, 'auth.forbidden'])
    expect(await outcomeOf(await create(owner))).toEqual([403, 'auth.forbidden'])
    expect(await outcomeOf(await asOperator(app, token).get('/tenants'))).toEqual([401, 'auth.unauthorized'])
  })
})
