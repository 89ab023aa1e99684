import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
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
import { beginInteraction, freshEmail } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { newReceiver, type Receiver } from '../../kit/receiver.ts'
import type { ReceivedCall } from '../../kit/receiver-server.ts'
import { atOrigin, openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})

const BACK = 'https://shop.example/back'

async function applicationOf(receiver: Pick<Receiver, 'url'> | null, custom: Record<string, unknown> = {}) {
  const created = await operator.send('POST', '/applications', {
    name: 'Shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [BACK], postLogoutRedirectUris: [] },
    customClientMetadata: { ...(receiver ? { backchannelLogoutUri: receiver.url } : {}), ...custom },
  })
  expect(created.status).toBe(200)
  return (await created.json()) as { id: string }
}

const requestOf = ({ id }: { id: string }, more: Record<string, string> = {}) =>
  authorizationRequest({ client_id: id, redirect_uri: BACK, scope: 'openid', ...more })

/** Signs a new user in to these applications in one browser. */
async function signInTo(first: { id: string }, ...others: { id: string }[]) {
  const client = newCookieClient(app)
  const username = freshName()
  const request = await requestOf(first)
  const back = await resumeAuthorization(
    client,
    await registerAccount(client, await openSignInPage(client, request), username),
  )
  for (const other of others) await client.get((await requestOf(other)).url)
  const users = (await (await operator.get(`/users?search.username=${username}`)).json()) as { id: string }[]
  return { client, username, request, code: back.searchParams.get('code') ?? '', userId: users[0]?.id ?? '' }
}

/** Signs out through the provider's page. */
async function signOut(client: CookieClient): Promise<Response> {
  const page = await (await client.get('/oidc/session/end')).text()
  const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? ''
  return client.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' }, { origin: ORIGIN })
}

async function claimsOf(
  delivery: ReceivedCall | undefined,
  application: { id: string },
): Promise<JWTPayload & { alg: string }> {
  expect(delivery?.headers).toMatchObject({
    'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
    'user-agent': 'Vestibule',
  })
  const jwks = createLocalJWKSet(await (await app.fetch('/oidc/jwks')).json())
  const token = new URLSearchParams(delivery?.body).get('logout_token') ?? ''
  const { payload, protectedHeader } = await jwtVerify(token, jwks, {
    issuer: `${ORIGIN}/oidc`,
    audience: application.id,
    typ: 'logout+jwt',
    requiredClaims: ['iat', 'exp', 'jti', 'sub', 'events'],
  })
  expect(payload.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
  expect(payload).not.toHaveProperty('nonce')
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(120)
  return { ...payload, alg: protectedHeader.alg }
}

const makeRetriesDue = () =>
  app.env.DB.prepare("update outbox set next_attempt_at = 0 where status = 'pending'").run()

const outboxOf = async ({ id }: { id: string }) => {
  const { results } = await app.env.DB.prepare('select status, attempts from outbox where application_id = ?')
    .bind(id)
    .all()
  return results
}

describe('signing out', () => {
  it('[BACKCHANNEL-2.4] sends every application with a logout URI a logout token in its configured form', async () => {
    const [shop, bank, quiet] = [await newReceiver(), await newReceiver(), await newReceiver()]
    const shopApp = await applicationOf(shop)
    const bankApp = await applicationOf(bank, {
      backchannelLogoutSessionRequired: true,
      idTokenSignedResponseAlg: 'ES384',
    })
    const quietApp = await applicationOf(null)
    const { client, userId } = await signInTo(shopApp, bankApp, quietApp)
    await signOut(client)

    const [toShop, ...more] = await shop.received()
    expect(more).toEqual([])
    const shopClaims = await claimsOf(toShop, shopApp)
    expect(shopClaims).toMatchObject({ sub: userId, alg: 'RS256' })
    expect(shopClaims).not.toHaveProperty('sid')
    const [toBank] = await bank.received()
    expect(await claimsOf(toBank, bankApp)).toMatchObject({
      sub: userId,
      alg: 'ES384',
      sid: expect.stringMatching(/./),
    })
    expect(await quiet.received()).toEqual([])
    expect(await outboxOf(shopApp)).toEqual([{ status: 'delivered', attempts: 1 }])
  })

  it('[BACKCHANNEL-2.4-2] retries a failed delivery with a new token', async () => {
    const receiver = await newReceiver({ status: 500 })
    const application = await applicationOf(receiver)
    const { client } = await signInTo(application)
    await signOut(client)
    const failedAttempts = (await receiver.received()).length
    expect(failedAttempts).toBeGreaterThan(0)
    expect(await outboxOf(application)).toEqual([{ status: 'pending', attempts: 1 }])

    await receiver.behave({ status: 200 })
    await makeRetriesDue()
    await Promise.all([app.sweep(), app.sweep()])
    const received = await receiver.received()
    expect(received).toHaveLength(failedAttempts + 1)
    const claims = await Promise.all(received.map((delivery) => claimsOf(delivery, application)))
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(failedAttempts + 1)
    expect(await outboxOf(application)).toEqual([{ status: 'delivered', attempts: 2 }])
  })

  it('succeeds even if an application was deleted, and sends it no logout token', async () => {
    const receiver = await newReceiver()
    const application = await applicationOf(receiver)
    const { client } = await signInTo(application)
    await operator.send('DELETE', `/applications/${application.id}`)
    expect((await signOut(client)).status).toBeLessThan(400)
    expect(await receiver.received()).toEqual([])
  })
})

const rowsOf = async (userId: string) => {
  const { results } = await app.env.DB.prepare(
    'select model_name from oidc_model_instances where account_id = ?',
  )
    .bind(userId)
    .all<{ model_name: string }>()
  return results.map(({ model_name }) => model_name)
}

describe.each([
  {
    what: 'a suspension',
    revoke: (id: string) => operator.send('PATCH', `/users/${id}/is-suspended`, { isSuspended: true }),
  },
  {
    what: 'a new password',
    revoke: (id: string) => operator.send('PATCH', `/users/${id}/password`, { password: 'other-horse-8' }),
  },
  {
    what: 'a reset by the user',
    revoke: async (id: string) => {
      const email = freshEmail()
      await operator.send('PATCH', `/users/${id}`, { primaryEmail: email })
      const interaction = await beginInteraction(app)
      await interaction.start('ForgotPassword')
      await interaction.prove({ email })
      await interaction.call('PUT', '/profile', { password: 'other-horse-8' })
      return interaction.submit()
    },
  },
  { what: 'a deletion', revoke: (id: string) => operator.send('DELETE', `/users/${id}`) },
])('$what', ({ revoke }) => {
  it('[BACKCHANNEL-2.5] notifies every application of every session and deletes the user’s rows', async () => {
    const [shop, bank] = [await newReceiver(), await newReceiver()]
    const shopApp = await applicationOf(shop)
    const bankApp = await applicationOf(bank, { backchannelLogoutSessionRequired: true })
    const { username, userId, request, code } = await signInTo(shopApp, bankApp)
    await redeemCode(app, request, code, shopApp.id)
    const elsewhere = newCookieClient(app)
    await resumeAuthorization(
      elsewhere,
      await signIn(elsewhere, await openSignInPage(elsewhere, await requestOf(bankApp)), username),
    )
    const bystander = await signInTo(shopApp)
    expect(new Set(await rowsOf(userId))).toEqual(
      new Set(['Session', 'Grant', 'AccessToken', 'AuthorizationCode']),
    )

    expect((await revoke(userId)).ok).toBe(true)
    const [toShop, ...more] = await shop.received()
    expect(more).toEqual([])
    expect(await claimsOf(toShop, shopApp)).toMatchObject({ sub: userId })
    const toBank = await Promise.all((await bank.received()).map((delivery) => claimsOf(delivery, bankApp)))
    expect(toBank.map(({ sub }) => sub)).toEqual([userId, userId])
    expect(new Set(toBank.map(({ sid }) => sid)).size).toBe(2)

    const remaining = new Set(await rowsOf(userId))
    expect(remaining).toEqual(new Set(['AccessToken', 'AuthorizationCode']))
    await app.sweep()
    expect(await rowsOf(userId)).toEqual([])
    expect(new Set(await rowsOf(bystander.userId))).toEqual(
      new Set(['Session', 'Grant', 'AuthorizationCode']),
    )
  })
})

describe('a revocation', () => {
  it('sends logout tokens from the issuer where each session was created', async () => {
    const receiver = await newReceiver()
    const application = await applicationOf(receiver)
    const { username, userId } = await signInTo(application)
    const elsewhere = newCookieClient(atOrigin(app, 'http://127.0.0.1:8787'))
    const uid = await openSignInPage(elsewhere, await requestOf(application))
    await resumeAuthorization(elsewhere, await signIn(elsewhere, uid, username))

    await operator.send('DELETE', `/users/${userId}/sessions`)
    const issuers = (await receiver.received()).map(
      ({ body }) => decodeJwt(new URLSearchParams(body).get('logout_token') ?? '').iss,
    )
    expect(issuers.toSorted()).toEqual(['http://127.0.0.1:8787/oidc', `${ORIGIN}/oidc`])
  })

  it('results in a 404 if the user is unknown', async () => {
    const response = await operator.send('PATCH', '/users/unknown/is-suspended', { isSuspended: true })
    expect(response.status).toBe(404)
  })

  it('does not affect a sign-in that follows immediately', async () => {
    const application = await applicationOf(null)
    const { username, userId } = await signInTo(application)
    await operator.send('PATCH', `/users/${userId}/password`, { password: 'other-horse-8' })
    const client = newCookieClient(app)
    const request = await requestOf(application)
    const back = await resumeAuthorization(
      client,
      await signIn(client, await openSignInPage(client, request), username, 'other-horse-8'),
    )
    await app.sweep()
    const tokens = await redeemCode(app, request, back.searchParams.get('code') ?? '', application.id)
    expect(tokens.status).toBe(200)
    const silent = await client.get((await requestOf(application, { prompt: 'none' })).url)
    expect(silent.headers.get('location')).toContain('code=')
  })

  it('is completed by the scheduled run if the work after the response was interrupted', async () => {
    const { userId } = await signInTo(await applicationOf(null))
    await app.env.DB.prepare('update users set revoked_at = ? where id = ?').bind(Date.now(), userId).run()
    expect(await rowsOf(userId)).not.toEqual([])
    await app.sweep()
    expect(await rowsOf(userId)).toEqual([])
  })
})
