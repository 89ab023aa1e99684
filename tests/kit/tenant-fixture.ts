import { asBearer } from './clients/account-client.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  openSignInPage,
  type PreparedAuthorization,
  redeemCode,
  registerAccount,
  resumeAuthorization,
} from './clients/cookie-client.ts'
import { asOperator, machineToken, type Operator } from './clients/management-client.ts'
import { atOrigin, type TestApp } from './test-app.ts'

/**
 * A tenant with a row of each kind. All such tenants use the same names for their rows, but different ids and
 * marker texts.
 */
export type TenantFixture = {
  id: string
  origin: string
  /** The Worker at one of the tenant's hosts. */
  site: TestApp
  operator: Operator
  /** The ids for the paths of calls, by collection. The session belongs to the user. */
  ids: Record<Collection, string>
  /** A marker text that occurs in this tenant's rows and that no other tenant may read. */
  mark: string
  /** The application that was created with the tenant. */
  administration: { id: string; secret: string }
  tokens: { management: string; services: string; account: string }
  /** A browser that is signed in and in the middle of another sign-in. */
  client: CookieClient
  interaction: { uid: string; request: PreparedAuthorization }
  signedIn: { idToken: string; refreshToken: string }
  /** An authorization code that has not been redeemed yet. */
  code: { value: string; request: PreparedAuthorization }
}

export const managedCollections = [
  'applications',
  'connectors',
  'consents',
  'custom-phrases',
  'deliveries',
  'domains',
  'hooks',
  'identities',
  'invitations',
  'logs',
  'organization-applications',
  'organization-roles',
  'organization-scopes',
  'organizations',
  'passkeys',
  'registration-tokens',
  'resources',
  'roles',
  'scopes',
  'sessions',
  'sign-in-tests',
  'tenants',
  'trusted-browsers',
  'users',
] as const
export type Collection = (typeof managedCollections)[number]

export const FIXTURE_USERNAME = 'ann_of_fixture'
export const FIXTURE_EMAIL = 'ann@example.com'

/** Creates a tenant with the rows that every new tenant has. */
export async function openTenant(
  app: TestApp,
  id: string,
): Promise<Pick<TenantFixture, 'origin' | 'site' | 'operator' | 'administration'>> {
  const { origin, application: administration } = await createTenant(app, id)
  const site = atOrigin(app, origin)
  return {
    origin,
    site,
    administration,
    operator: asOperator(site, await machineToken(site, administration)),
  }
}

/**
 * Creates rows with the same names as those of other tenants. `language` is a built-in language that differs
 * between tenants.
 */
export async function createTenantFixture(
  app: TestApp,
  id: string,
  language: string,
): Promise<TenantFixture> {
  const { origin, site, operator, administration } = await openTenant(app, id)
  const services = await machineToken(
    site,
    administration,
    'create:tenant manage:tenant send:email send:sms',
    'urn:vestibule:services',
  )
  const mark = `mark-of-${id}`
  const target = `social-${id}`

  const client = newCookieClient(site)
  const redirectUri = `${origin}/demo-app`
  const scope = 'openid profile custom_data identities offline_access'
  const request = await authorizationRequest({ redirect_uri: redirectUri, scope, prompt: 'consent' })
  const uid = await openSignInPage(client, request)
  const registered = await resumeAuthorization(client, await registerAccount(client, uid, FIXTURE_USERNAME))
  const consent = registered.searchParams.get('interaction') ?? ''
  const consented = await client.send('POST', '/api/interaction/consent', undefined, {
    Interaction: consent,
  })
  const redeemed = await redeemCode(
    site,
    request,
    (await resumeAuthorization(client, consented)).searchParams.get('code') ?? '',
  )
  const tokens = (await redeemed.json()) as Record<'access_token' | 'id_token' | 'refresh_token', string>

  const [user] = await read<{ id: string }[]>(operator.get('/users'))
  const users = user?.id ?? ''
  await app.env.DB.prepare(
    'update users set name = ?, primary_email = ?, identities = ? where tenant_id = ? and id = ?',
  )
    .bind(mark, FIXTURE_EMAIL, JSON.stringify({ [target]: { userId: 'same' } }), id, users)
    .run()
  const [session] = await read<{ id: string }[]>(operator.get(`/users/${users}/sessions`))

  const [browser] = await read<{ id: string }[]>(
    asBearer(site, tokens.access_token)('GET', '/trusted-browsers'),
  )

  const create = async (path: string, body: object) =>
    (await read<{ id: string }>(operator.send('POST', path, body))).id
  const resources = await create('/resources', { name: mark, indicator: 'https://api.example.com' })
  const scopes = await create(`/resources/${resources}/scopes`, { name: 'read:orders', description: mark })
  const roles = await create('/roles', { name: 'Clerk', description: mark, scopeIds: [scopes] })
  const picture = new FormData()
  picture.set(
    'file',
    new File([`<svg xmlns="http://www.w3.org/2000/svg" id="${mark}"/>`], 'a.svg', { type: 'image/svg+xml' }),
  )
  await read(
    site.fetch('/api/user-assets', {
      method: 'POST',
      body: picture,
      headers: { authorization: `Bearer ${operator.token}` },
    }),
  )
  const registrationTokens = await create('/registration-tokens', { name: mark })
  const invitations = await create('/invitations', {
    email: 'invited@example.com',
    name: mark,
  })
  const applications = await create('/applications', {
    name: mark,
    type: 'Traditional',
    oidcClientMetadata: { redirectUris: ['https://shop.example.com/back'], postLogoutRedirectUris: [] },
  })
  await app.env.DB.prepare(
    "insert into consents (tenant_id, user_id, application_id, resource, scope, created_at) values (?, ?, ?, '', 'openid', 1)",
  )
    .bind(id, users, applications)
    .run()
  const passkeys = `passkey-of-${id}`
  await app.env.DB.prepare(
    `insert into passkeys (tenant_id, credential_id, user_id, public_key, counter, transports, aaguid, name, rp_id,
      is_backup_eligible, is_backed_up, created_at) values (?, ?, ?, 'x', 0, '[]', '', ?, 'localhost', 1, 1, 1)`,
  )
    .bind(id, passkeys, users, mark)
    .run()
  const config = { endpoint: 'https://sms.example.com', authentication: 'Bearer', secret: mark }
  const connectors = await create('/connectors', { connectorId: 'http-sms', config })
  const github = await create('/connectors', {
    connectorId: 'github-universal',
    config: { clientId: 'shop', clientSecret: mark },
  })
  const { testId } = await read<{ testId: string }>(
    operator.send('POST', `/connectors/${github}/sign-in-tests`),
  )
  const hooks = await create('/hooks', {
    event: 'PostResetPassword',
    config: { url: `https://hooks.example.com/${mark}`, retries: 0 },
  })
  await operator.send('PUT', `/custom-phrases/${language}`, { action: { sign_in: mark } })
  const link = async (path: string, body: object) => {
    const response = await operator.send('POST', path, body)
    if (response.status !== 201) throw new Error(`${path} ${response.status} ${await response.text()}`)
  }
  const organizationScopes = await create('/organization-scopes', { name: 'read:team', description: mark })
  const organizationRoles = await create('/organization-roles', { name: 'Clerk', description: mark })
  const organizations = await create('/organizations', { name: mark, ownerId: users })
  const domains = `${id}.com`
  await read(operator.send('POST', `/organizations/${organizations}/domains`, { domain: domains }))
  const machine = await create('/applications', {
    name: mark,
    type: 'MachineToMachine',
    oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] },
  })
  const template = `/organization-roles/${organizationRoles}`
  for (const [path, body] of [
    [`${template}/scopes`, { scopeIds: [organizationScopes] }],
    [`${template}/resource-scopes`, { scopeIds: [scopes] }],
    [`/organizations/${organizations}/users`, { userIds: [users], roleIds: [organizationRoles] }],
    [
      `/organizations/${organizations}/applications`,
      { applicationIds: [machine], roleIds: [organizationRoles] },
    ],
  ] as const)
    await link(path, body)
  await operator.send('POST', `/users/${users}/roles`, { roleIds: [roles] })
  await operator.send('POST', `/roles/${roles}/applications`, { applicationIds: [applications] })
  const deliveries = `msg_${id}`
  await app.env.DB.prepare(
    `insert into outbox (tenant_id, id, hook_id, event, payload, next_attempt_at, status, created_at)
      values (?, ?, ?, 'PostResetPassword', json_object('user', ?), 0, 'failed', 1)`,
  )
    .bind(id, deliveries, hooks, mark)
    .run()
  const [log] = await read<{ id: string }[]>(operator.get('/logs'))

  const second = await authorizationRequest({ redirect_uri: redirectUri })
  const back = new URL((await client.get(second.url)).headers.get('location') ?? '')
  const third = await authorizationRequest({ redirect_uri: redirectUri, prompt: 'login', state: mark })
  return {
    id,
    origin,
    site,
    operator,
    mark,
    administration,
    tokens: { management: operator.token, services, account: tokens.access_token },
    client,
    interaction: { uid: await openSignInPage(client, third), request: third },
    signedIn: { idToken: tokens.id_token, refreshToken: tokens.refresh_token },
    code: { value: back.searchParams.get('code') ?? '', request: second },
    ids: {
      applications,
      connectors,
      /** A consent is identified by its application. */
      consents: applications,
      'custom-phrases': language,
      deliveries,
      domains,
      hooks,
      identities: target,
      invitations,
      logs: log?.id ?? '',
      'organization-applications': machine,
      'organization-roles': organizationRoles,
      'organization-scopes': organizationScopes,
      organizations,
      passkeys,
      'registration-tokens': registrationTokens,
      resources,
      roles,
      scopes,
      sessions: session?.id ?? '',
      'sign-in-tests': testId,
      tenants: id,
      'trusted-browsers': browser?.id ?? '',
      users,
    },
  }
}

type Created = { origin: string; application: { id: string; secret: string } }

async function createTenant(app: TestApp, id: string): Promise<Created> {
  const secret = app.env.MANAGEMENT_CLIENT_SECRET ?? ''
  const token = await machineToken(
    app,
    { id: 'management', secret },
    'manage:tenant',
    'urn:vestibule:services',
  )
  return read<Created>(asOperator(app, token).send('POST', '/tenants', { id }))
}

async function read<T>(answer: Promise<Response>): Promise<T> {
  const response = await answer
  if (!response.ok) throw new Error(`${response.url} ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Returns every row of a tenant, by table. */
export async function rowsOf(app: TestApp, tenantId: string): Promise<Record<string, unknown[]>> {
  const { results } = await app.env.DB.prepare(
    "select name from sqlite_master where type = 'table' and sql like '%`tenant_id`%'",
  ).all<{ name: string }>()
  const rows = await app.env.DB.batch(
    results.map(({ name }) =>
      app.env.DB.prepare(`select * from ${name} where tenant_id = ? order by rowid`).bind(tenantId),
    ),
  )
  return Object.fromEntries(results.map(({ name }, index) => [name, rows[index]?.results ?? []]))
}
