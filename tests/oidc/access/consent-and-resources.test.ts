import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  redeemCode,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { openTestApp } from '../../kit/test-app.ts'

const app = openTestApp()
const redirectUri = `${ORIGIN}/elsewhere`

type Type = 'SPA' | 'Native' | 'Traditional'

async function addApplication(type: Type, custom: object = {}, secret = 'unused'): Promise<string> {
  const id = crypto.randomUUID().slice(0, 21)
  const metadata = {
    redirectUris: [type === 'Native' ? 'com.example.app://back' : redirectUri],
    postLogoutRedirectUris: [],
  }
  await app.env.DB.prepare(
    "insert into applications (tenant_id, id, name, secret, type, oidc_client_metadata, custom_client_metadata, created_at) values ('default', ?, 'A', ?, ?, ?, ?, 1)",
  )
    .bind(id, secret, type, JSON.stringify(metadata), JSON.stringify(custom))
    .run()
  return id
}

/** Adds an API with the scopes `read` and `write`, and a role that grants only `read`. */
async function addResource(): Promise<{ indicator: string; roleId: string }> {
  const suffix = crypto.randomUUID().slice(0, 8)
  const [resource, read, write, role] = ['api', 'read', 'write', 'role'].map((name) => `${name}-${suffix}`)
  const indicator = `https://api.example/${suffix}`
  const { DB } = app.env
  await DB.batch([
    DB.prepare(
      "insert into resources (tenant_id, id, name, indicator, access_token_ttl) values ('default', ?, 'API', ?, 900)",
    ).bind(resource, indicator),
    ...[
      [read, 'read'],
      [write, 'write'],
    ].map(([id, name]) =>
      DB.prepare(
        "insert into scopes (tenant_id, id, resource_id, name, created_at) values ('default', ?, ?, ?, 1)",
      ).bind(id, resource, name),
    ),
    DB.prepare("insert into roles (tenant_id, id, name, description) values ('default', ?, ?, 'r')").bind(
      role,
      role,
    ),
    DB.prepare(
      "insert into roles_scopes (tenant_id, id, role_id, scope_id) values ('default', ?, ?, ?)",
    ).bind(`rs-${suffix}`, role, read),
  ])
  return { indicator, roleId: role ?? '' }
}

const consent = (client: CookieClient, back: URL) =>
  client.send(
    'POST',
    '/api/interaction/consent',
    { decision: 'allow' },
    { Interaction: back.searchParams.get('interaction') ?? '' },
  )

const grantOf = async (clientId: string) => {
  const row = await app.env.DB.prepare(
    "select payload from oidc_model_instances where model_name = 'Grant' and json_extract(payload, '$.clientId') = ?",
  )
    .bind(clientId)
    .first<{ payload: string }>()
  return row
    ? (JSON.parse(row.payload) as { openid?: { scope?: string }; resources?: Record<string, string> })
    : null
}

describe('a third-party application', () => {
  it('[ASVS-10.7.1] gets no grant before the user consents, and later needs consent only for new scopes', async () => {
    const clientId = await addApplication('SPA', { isThirdParty: true })
    const client = newCookieClient(app)
    const username = freshName()
    const request = await authorizationRequest({ client_id: clientId, redirect_uri: redirectUri })
    const consentPage = await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, request), username),
    )
    expect(consentPage.pathname).toBe('/sign-in/consent')
    expect(await grantOf(clientId)).toBe(null)

    const back = await resumeAuthorization(client, await consent(client, consentPage))
    expect(await grantOf(clientId)).toMatchObject({ openid: { scope: 'openid profile' } })
    const tokens = (await (
      await redeemCode(app, request, back.searchParams.get('code') ?? '', clientId)
    ).json()) as {
      id_token: string
      access_token: string
    }
    expect(decodeJwt(tokens.id_token)).toMatchObject({ username })

    const again = await authorizationRequest({
      client_id: clientId,
      redirect_uri: redirectUri,
      prompt: 'none',
    })
    expect((await client.get(again.url)).headers.get('location')).toContain('code=')
    const more = await authorizationRequest({
      client_id: clientId,
      redirect_uri: redirectUri,
      prompt: 'none',
      scope: 'openid profile email',
    })
    expect((await client.get(more.url)).headers.get('location')).toContain('error=consent_required')
  })

  it('[RFC8252-8.6] requires consent every time if it is native, unlike a first-party application', async () => {
    const parameters = async (isThirdParty: boolean) => ({
      client_id: await addApplication('Native', { isThirdParty }),
      redirect_uri: 'com.example.app://back',
    })
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest(await parameters(false)))
    const own = await resumeAuthorization(client, await registerAccount(client, uid, freshName()))
    expect(own.protocol).toBe('com.example.app:')

    const thirdParty = await parameters(true)
    for (let round = 0; round < 2; round++) {
      const response = await client.get((await authorizationRequest(thirdParty)).url)
      const consentPage = new URL(response.headers.get('location') ?? '', ORIGIN)
      expect(consentPage.pathname).toBe('/sign-in/consent')
      const back = await resumeAuthorization(client, await consent(client, consentPage))
      expect(back.searchParams.get('code')).toBeTruthy()
    }
  })

  it('gets only one grant from two concurrent consents', async () => {
    const clientId = await addApplication('SPA', { isThirdParty: true })
    const client = newCookieClient(app)
    const uid = await openSignInPage(
      client,
      await authorizationRequest({ client_id: clientId, redirect_uri: redirectUri }),
    )
    const consentPage = await resumeAuthorization(client, await registerAccount(client, uid, freshName()))
    const answers = await Promise.all([consent(client, consentPage), consent(client, consentPage)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    const { results } = await app.env.DB.prepare(
      "select 1 from oidc_model_instances where model_name = 'Grant' and json_extract(payload, '$.clientId') = ?",
    )
      .bind(clientId)
      .all()
    expect(results.length).toBe(1)
  })

  it('cannot obtain consent without a session', async () => {
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest())
    const response = await client.send('POST', '/api/interaction/consent', undefined, { Interaction: uid })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'session.not_found' })
  })
})

describe('an API', () => {
  it('[RFC9700-2.3] receives a JWT that contains only the scopes granted by the user’s roles', async () => {
    const { indicator, roleId } = await addResource()
    const username = freshName()
    const first = newCookieClient(app)
    await registerAccount(first, await openSignInPage(first, await authorizationRequest()), username)
    await app.env.DB.prepare(
      "insert into users_roles (tenant_id, id, user_id, role_id) select 'default', ?, id, ? from users where username = ?",
    )
      .bind(crypto.randomUUID().slice(0, 20), roleId, username)
      .run()

    const client = newCookieClient(app)
    const request = await authorizationRequest({ scope: 'openid read write', resource: indicator })
    const back = await resumeAuthorization(
      client,
      await signIn(client, await openSignInPage(client, request), username),
    )
    const answer = await app.fetch('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'demo-app',
        code: back.searchParams.get('code') ?? '',
        code_verifier: request.verifier,
        redirect_uri: request.redirectUri,
        resource: indicator,
      }),
    })
    const { access_token: token, scope } = (await answer.json()) as { access_token: string; scope: string }
    expect(scope).toBe('read')
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'at+jwt', alg: 'RS256' })
    const claims = decodeJwt(token)
    expect(claims).toMatchObject({
      aud: indicator,
      scope: 'read',
      iss: `${ORIGIN}/oidc`,
      client_id: 'demo-app',
    })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(900)
  })

  it('can be requested without a scope, which defaults to `openid` (RFC 6749 §3.3)', async () => {
    const { indicator } = await addResource()
    const clientId = await addApplication('SPA', { isThirdParty: true })
    const client = newCookieClient(app)
    const parameters = { client_id: clientId, redirect_uri: redirectUri, resource: indicator }
    const request = await authorizationRequest(parameters)
    // The nonce is also removed, because only ID tokens contain it.
    const url = request.url.replaceAll(/scope=[^&]*&|&nonce=[^&]*/g, '')
    const uid = await openSignInPage(client, { ...request, url })
    const consentPage = await resumeAuthorization(client, await registerAccount(client, uid, freshName()))
    const back = await resumeAuthorization(client, await consent(client, consentPage))
    expect(await grantOf(clientId)).toMatchObject({ openid: { scope: 'openid' } })
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: back.searchParams.get('code') ?? '',
      code_verifier: request.verifier,
      redirect_uri: redirectUri,
      resource: indicator,
    })
    const tokens = await (await app.fetch('/oidc/token', { method: 'POST', body })).json()
    const { access_token: token } = tokens as { access_token: string }
    expect(decodeJwt(token)).toMatchObject({ aud: indicator, client_id: clientId })
    expect(decodeJwt(token)).not.toHaveProperty('scope')
  })

  it('cannot introspect other applications’ userinfo tokens, regardless of its role', async () => {
    const { roleId } = await addResource()
    const secret = 'a secret of a confidential application'
    const holder = await addApplication('Traditional', {}, secret)
    const other = await addApplication('Traditional', {}, secret)
    await app.env.DB.prepare(
      "insert into applications_roles (tenant_id, id, application_id, role_id) values ('default', ?, ?, ?)",
    )
      .bind(crypto.randomUUID().slice(0, 20), holder, roleId)
      .run()
    const client = newCookieClient(app)
    const request = await authorizationRequest()
    const back = await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, request), freshName()),
    )
    const { access_token: token } = (await (
      await redeemCode(app, request, back.searchParams.get('code') ?? '')
    ).json()) as { access_token: string }

    const introspect = async (clientId: string) =>
      (
        await app.fetch('/oidc/token/introspection', {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
          body: new URLSearchParams({ token }),
        })
      ).json()
    // The token was issued to another application for userinfo, so no other client may introspect it.
    expect(await introspect(holder)).toEqual({ active: false })
    expect(await introspect(other)).toEqual({ active: false })
  })
})

describe('the oidc-provider library', () => {
  it('still has the internal functions that we override (spec/provider#refresh-token-successor)', async () => {
    const { Provider } = await import('oidc-provider')
    const provider = new Provider('http://localhost/oidc', { jwks: { keys: [] } })
    expect(Reflect.get(provider.RefreshToken.prototype, 'generateTokenId')).toBeTypeOf('function')
    expect(Reflect.get(provider.Client.prototype, 'backchannelLogout')).toBeTypeOf('function')
  })
})
