import { env } from 'cloudflare:workers'
import { decodeJwt, importJWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { findPage, pageTable } from '../../client/app/routes.ts'
import { openD1 } from '../../src/storage/d1.ts'
import { interactionCookieName } from '../../src/storage/interactions/interaction-cookies.ts'
import { createInteractionStore } from '../../src/storage/interactions/interactions.ts'
import { createSeals } from '../../src/storage/seal.ts'
import { readSigningKeys } from '../../src/storage/tenants/signing-keys.ts'
import {
  authorizationRequest,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  redeemCode,
} from '../kit/clients/cookie-client.ts'
import { enterCode, newDeviceApplication, poll, startDevice } from '../kit/clients/device-client.ts'
import { outcomeOf } from '../kit/clients/interaction-client.ts'
import { pairsOf } from '../kit/sweep.ts'
import {
  createTenantFixture,
  FIXTURE_EMAIL,
  FIXTURE_USERNAME,
  rowsOf,
  type TenantFixture,
} from '../kit/tenant-fixture.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

let app: TestApp
let alpha: TenantFixture
let beta: TenantFixture
beforeAll(async () => {
  app = openTestApp()
  alpha = await createTenantFixture(app, 'alpha', 'fr')
  beta = await createTenantFixture(app, 'beta', 'de')
}, 60_000)

const HTML = { accept: 'text/html' }

const noCookie = [400, 'session.not_found', { error_description: 'interaction session id cookie not found' }]

/** Returns a browser that sends one tenant's cookies to another tenant, as if both had the same host. */
function clientWithCookies(
  to: TenantFixture,
  from: TenantFixture,
  rename: (name: string) => string = (name) => name,
) {
  const client = newCookieClient(to.site)
  for (const [key, cookie] of from.client.cookies) client.cookies.set(rename(key), cookie)
  return client
}

const codeOf = async (answer: Response | Promise<Response>) => {
  const response = await answer
  const { error } = (await response.json()) as { error?: string }
  return [response.status, error]
}

const token = ({ site }: TenantFixture, body: Record<string, string>, headers: Record<string, string> = {}) =>
  site.fetch('/oidc/token', { method: 'POST', headers, body: new URLSearchParams(body) })

const basic = ({ id, secret }: { id: string; secret: string }) => ({
  authorization: `Basic ${btoa(`${id}:${secret}`)}`,
})

const isOpen = (path: string) => path.startsWith('/continue/') || path.startsWith('/social/link/')

describe('a page that is requested with another tenant’s cookies', () => {
  const [open, guarded] = [isOpen, (path: string) => !isOpen(path)].map((is) =>
    pageTable.flatMap(({ path, needs }) => (needs !== 'nothing' && is(path) ? [path] : [])),
  )

  /** Requests name the other tenant's interaction in the query, or only in the cookies. */
  const isNamed = [true, false]

  it.each(pairsOf(env.TEST_SWEEP, open ?? [], isNamed))(
    'reveals nothing about the session, even if it has no guard (spec/pages#guard): %s, named: %s',
    async (path, isInQuery) => {
      const client = clientWithCookies(beta, alpha)
      const query = isInQuery ? `?interaction=${alpha.interaction.uid}` : ''
      const response = await client.get(path + query, HTML)
      expect([200, 404]).toContain(response.status)
      const drawn = (await response.text()).replaceAll(query.slice(1) || ' ', '')
      expect(drawn).not.toContain(FIXTURE_USERNAME)
      expect(drawn).not.toContain(FIXTURE_EMAIL)
      const form = {
        identifier: FIXTURE_USERNAME,
        newPassword: 'battery-staple-8',
        interaction: alpha.interaction.uid,
      }
      const sent = await client.post(path + query, form)
      expect([sent.status, sent.headers.get('location')]).not.toEqual([303, expect.anything()])
    },
  )

  it.each(pairsOf(env.TEST_SWEEP, guarded ?? [], isNamed))(
    'finds no session, either when it is opened or when its form is submitted: %s, named: %s',
    async (path, isInQuery) => {
      const client = clientWithCookies(beta, alpha)
      const query = isInQuery ? `?interaction=${alpha.interaction.uid}` : ''
      const response = await client.get(path + query, HTML)
      expect([response.status, response.headers.get('location')]).toEqual([302, '/unknown-session'])
      if (!findPage(path)?.journeys) return
      const sent = await client.post(path + query, {
        identifier: FIXTURE_USERNAME,
        interaction: alpha.interaction.uid,
      })
      expect([sent.status, sent.headers.get('location')]).toEqual([303, '/unknown-session'])
    },
  )

  it.each([
    ...pageTable.filter(({ needs }) => needs === 'nothing').map(({ path }) => path),
    '/demo-app',
    '/dev/inbox',
    '/dev/inbox.json',
    `/dev/inbox.json?to=${FIXTURE_EMAIL}`,
    '/no/such/page',
  ])('contains none of the other tenant’s data: %s', async (path) => {
    const client = clientWithCookies(beta, alpha)
    await alpha.operator.send('POST', '/verification-codes', { email: FIXTURE_EMAIL })
    for (const headers of [HTML, {}]) {
      const html = await (await client.get(path, headers)).text()
      for (const word of [alpha.mark, alpha.origin, alpha.ids.users, FIXTURE_EMAIL.replace('@', '&#64;')])
        expect(html.replaceAll(`value="${FIXTURE_EMAIL}"`, '')).not.toContain(word)
      expect(html).not.toContain(`"to":"${FIXTURE_EMAIL}"`)
    }
  })

  it('does not restart the other tenant’s interaction', async () => {
    const client = clientWithCookies(beta, alpha)
    const answer = await client.get(`/restart?interaction=${alpha.interaction.uid}`)
    expect(answer.headers.get('location')).toBe('/unknown-session')
    const restarted = await alpha.client.get(`/restart?interaction=${alpha.interaction.uid}`)
    expect(restarted.headers.get('location')).toContain(`state=${alpha.mark}`)
  })
})

describe('an encrypted value in an interaction', () => {
  const seals = () => createSeals(app.env.ROOT_SECRET ?? '')

  it('cannot be decrypted by another tenant, even for an interaction with the same id', async () => {
    const { uid } = alpha.interaction
    await app.env.DB.prepare(
      `insert into oidc_model_instances (tenant_id, model_name, id, payload, expires_at)
        select 'beta', model_name, id, json_remove(payload, '$.session'), expires_at from oidc_model_instances
        where tenant_id = 'alpha' and model_name = 'Interaction' and id = ?`,
    )
      .bind(uid)
      .run()
    const body = { event: 'SignIn', identifier: { username: FIXTURE_USERNAME, password: PASSWORD } }
    const headers = { Interaction: uid }
    const answer = await clientWithCookies(beta, alpha).send('PUT', '/api/interaction', body, headers)
    expect(await outcomeOf(answer)).toEqual(noCookie)
    expect((await alpha.client.send('PUT', '/api/interaction', body, headers)).status).toBe(204)
    await app.env.DB.prepare("delete from oidc_model_instances where tenant_id = 'beta' and id = ?")
      .bind(uid)
      .run()
  })

  it('[ASVS-11.3.2] cannot be decrypted for another interaction', async () => {
    const client = clientWithCookies(beta, alpha, (name) =>
      name.replace(alpha.interaction.uid, beta.interaction.uid),
    )
    const headers = { Interaction: beta.interaction.uid }
    const answer = await client.send('POST', '/api/interaction/submit', undefined, headers)
    expect(await outcomeOf(answer)).toEqual(noCookie)
  })

  it('cannot be read from KV by another tenant, even if it is copied to that tenant’s key', async () => {
    const kv = app.env.INTERACTIONS
    const store = createInteractionStore(kv, seals())
    const interaction = { event: 'Register', proofs: [], profile: { username: FIXTURE_USERNAME } } as const
    const record = { interaction, heldLogs: [] }
    const exp = Math.floor(Date.now() / 1000) + 600
    const revision = await store.of('alpha').write('some-interaction', record, exp, Date.now())
    expect(await store.of('alpha').read('some-interaction', revision)).toMatchObject(record)
    expect(await store.of('beta').read('some-interaction', revision)).toBeNull()

    const moved = (await kv.get(`interaction:alpha:some-interaction:${revision}`)) ?? ''
    await kv.put(`interaction:beta:some-interaction:${revision}`, moved)
    expect(await store.of('beta').read('some-interaction', revision)).toBeNull()
  })

  it('is not accepted as another tenant’s navigation state', async () => {
    const store = createInteractionStore(app.env.INTERACTIONS, seals())
    const step = { identifier: { type: 'username', value: FIXTURE_USERNAME } } as const
    const sealed = await store.of('alpha').sealNavigationState('some-interaction', step, Date.now())
    expect(await store.of('alpha').openNavigationState('some-interaction', sealed, Date.now())).toMatchObject(
      step,
    )
    expect(await store.of('beta').openNavigationState('some-interaction', sealed, Date.now())).toBeNull()
    expect(interactionCookieName('some-interaction')).toBe('_interaction_some-interaction')
  })
})

describe('a tenant’s session', () => {
  it('is not used by another tenant for prompt=none', async () => {
    const authorize = async (to: TenantFixture) => {
      const request = await authorizationRequest({ redirect_uri: `${to.origin}/demo-app`, prompt: 'none' })
      const answer = await clientWithCookies(to, alpha).get(request.url)
      return new URL(answer.headers.get('location') ?? '').searchParams
    }
    expect((await authorize(alpha)).get('code')).toBeTruthy()
    expect((await authorize(beta)).get('error')).toBe('login_required')
  })

  it('is not ended by a sign-out at another tenant', async () => {
    const before = await rowsOf(app, 'alpha')
    const client = clientWithCookies(beta, alpha)
    const signOutPage = await client.get('/oidc/session/end', HTML)
    const xsrf = /"xsrf":"([^"]+)"/.exec(await signOutPage.text())?.[1] ?? ''
    await client.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
    expect(await rowsOf(app, 'alpha')).toEqual(before)
  })

  it('is not revealed to another tenant that receives its ID token', async () => {
    const query = new URLSearchParams({
      id_token_hint: alpha.signedIn.idToken,
      post_logout_redirect_uri: `${beta.origin}/demo-app`,
    })
    expect((await beta.client.get(`/oidc/session/end?${query}`)).status).toBe(400)
    const hinted = await authorizationRequest({
      redirect_uri: `${beta.origin}/demo-app`,
      id_token_hint: alpha.signedIn.idToken,
      prompt: 'none',
    })
    const answer = await newCookieClient(beta.site).get(hinted.url)
    expect(answer.headers.get('location') ?? '').not.toContain('code=')
  })

  it('cannot be resumed at another tenant', async () => {
    const uid = alpha.interaction.uid
    expect((await clientWithCookies(beta, alpha).get(`/oidc/auth/${uid}`)).status).toBe(400)
    expect(
      (
        await clientWithCookies(beta, beta, (name) => name.replace(beta.interaction.uid, uid)).get(
          `/oidc/auth/${uid}`,
        )
      ).status,
    ).toBe(400)
  })
})

describe('at another tenant', () => {
  it('an authorization code is rejected', async () => {
    const { request, value } = alpha.code
    expect(await codeOf(redeemCode(beta.site, request, value))).toEqual([400, 'invalid_grant'])
    const there = { ...request, redirectUri: `${beta.origin}/demo-app` }
    expect(await codeOf(redeemCode(beta.site, there, value))).toEqual([400, 'invalid_grant'])
    expect((await redeemCode(alpha.site, request, value)).status).toBe(200)
  })

  it('a refresh token is rejected', async () => {
    const refresh = {
      grant_type: 'refresh_token',
      client_id: 'demo-app',
      refresh_token: alpha.signedIn.refreshToken,
    }
    expect(await codeOf(token(beta, refresh))).toEqual([400, 'invalid_grant'])
    expect((await token(alpha, refresh)).status).toBe(200)
  })

  it('an access token can be neither introspected nor revoked', async () => {
    const headers = { authorization: `Bearer ${alpha.tokens.account}` }
    expect((await beta.site.fetch('/oidc/me', { headers })).status).toBe(401)
    const about = { method: 'POST', body: new URLSearchParams({ token: alpha.tokens.account }) }
    const client = basic(beta.administration)
    const introspected = await beta.site.fetch('/oidc/token/introspection', { ...about, headers: client })
    expect(await introspected.json()).toEqual({ active: false })
    await beta.site.fetch('/oidc/token/revocation', { ...about, headers: client })
    expect((await alpha.site.fetch('/oidc/me', { headers })).status).toBe(200)
  })

  it('a pushed request is unknown', async () => {
    const push = async (to: TenantFixture) => {
      const { url } = await authorizationRequest({ redirect_uri: `${to.origin}/demo-app` })
      const body = new URLSearchParams(url.split('?')[1])
      const pushed = await to.site.fetch('/oidc/request', { method: 'POST', body })
      return ((await pushed.json()) as { request_uri: string }).request_uri
    }
    const authorize = (at: TenantFixture, request_uri: string) =>
      at.site.fetch(`/oidc/auth?${new URLSearchParams({ client_id: 'demo-app', request_uri })}`)
    const elsewhere = await authorize(beta, await push(alpha))
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([400, null])
    expect((await authorize(alpha, await push(alpha))).headers.get('location')).toMatch(/^\/sign-in/)
  })

  it('[ASVS-8.4.1-3] a management token is rejected even if its signature or its issuer is valid at that tenant', async () => {
    const services = {
      db: openD1(app.env.DB),
      seals: createSeals(app.env.ROOT_SECRET ?? ''),
      now: Date.now,
    }
    const signed = async (keysOf: string, issuer: string) => {
      const { jwks } = await readSigningKeys(services, keysOf)
      const [key] = jwks.keys
      if (!key) throw new Error('no key')
      return new SignJWT({ ...decodeJwt(beta.tokens.management), iss: issuer })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: key.kid ?? '' })
        .sign(await importJWK(key, 'RS256'))
    }
    const status = async (bearer: string) =>
      (await beta.site.fetch('/api/users', { headers: { authorization: `Bearer ${bearer}` } })).status
    expect(await status(await signed('beta', `${beta.origin}/oidc`))).toBe(200)
    expect(await status(await signed('alpha', `${beta.origin}/oidc`))).toBe(401)
    expect(await status(await signed('beta', `${alpha.origin}/oidc`))).toBe(401)
  })
})

describe('a tenant’s client', () => {
  it('is unknown at another tenant', async () => {
    const grant = { grant_type: 'client_credentials', resource: 'urn:vestibule:management-api', scope: 'all' }
    expect(await codeOf(token(beta, grant, basic(alpha.administration)))).toEqual([401, 'invalid_client'])
    expect((await token(alpha, grant, basic(alpha.administration))).status).toBe(200)
  })

  it('cannot start a sign-in at another tenant', async () => {
    const redirectUri = 'https://shop.example.com/back'
    const { url } = await authorizationRequest({
      client_id: alpha.ids.applications,
      redirect_uri: redirectUri,
    })
    expect((await newCookieClient(beta.site).get(url)).status).toBe(400)
    expect((await newCookieClient(alpha.site).get(url)).status).toBe(303)
  })

  it('can redirect only to the tenant’s host if the client is built in', async () => {
    const { url } = await authorizationRequest({ redirect_uri: `${alpha.origin}/demo-app` })
    expect((await newCookieClient(beta.site).get(url)).status).toBe(400)
  })
})

describe('a tenant', () => {
  it('rejects a verification code that another tenant sent', async () => {
    await alpha.operator.send('POST', '/verification-codes', { email: FIXTURE_EMAIL })
    const [message] = (await (await alpha.site.fetch(`/dev/inbox.json?to=${FIXTURE_EMAIL}`)).json()) as {
      code: string
    }[]
    const verification = { email: FIXTURE_EMAIL, verificationCode: message?.code }
    expect(
      await outcomeOf(await beta.operator.send('POST', '/verification-codes/verify', verification)),
    ).toMatchObject([400, 'verification_code.not_found'])
    expect((await alpha.operator.send('POST', '/verification-codes/verify', verification)).status).toBe(204)
  })

  it('can lock a username without affecting the same username at another tenant', async () => {
    const attempt = async (to: TenantFixture, password: string) => {
      const client = newCookieClient(to.site)
      const uid = await openSignInPage(
        client,
        await authorizationRequest({ redirect_uri: `${to.origin}/demo-app` }),
      )
      const identifier = { username: FIXTURE_USERNAME, password }
      const headers = { Interaction: uid }
      return (await client.send('PUT', '/api/interaction', { event: 'SignIn', identifier }, headers)).status
    }
    for (let time = 0; time < 11; time++) await attempt(alpha, 'wrong-horse-7')
    expect(await attempt(alpha, PASSWORD)).toBe(429)
    expect(await attempt(beta, PASSWORD)).toBe(204)
  })
})

describe('a tenant’s device', () => {
  it('[RFC8628-3.4-2] cannot be connected at another tenant, where its code is unknown', async () => {
    const television = await newDeviceApplication(alpha.operator)
    const started = await startDevice(alpha.site, television)
    expect(await poll(beta.site, television, started.device_code)).toMatchObject({ error: 'invalid_client' })
    const radio = await newDeviceApplication(beta.operator)
    expect(await poll(beta.site, radio, started.device_code)).toMatchObject({ error: 'invalid_grant' })
    const browser = newCookieClient(beta.site)
    for (const typed of [started.user_code, started.user_code.toLowerCase()])
      expect(await (await enterCode(browser, typed)).text()).toContain('We don’t recognize that code.')
    const own = await enterCode(newCookieClient(alpha.site), started.user_code)
    expect([own.status, own.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/sign-in\?/)])
  })
})
