import { expect, it, onTestFinished } from 'vitest'
import { MANAGEMENT_RESOURCE } from '../../src/contract/product.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
} from '../kit/clients/cookie-client.ts'
import { assertionOf, newSigningKey } from '../kit/clients/key-client.ts'
import { AGENT, agentDocument, appForAgents, publish } from '../kit/clients/unregistered-client.ts'
import { codeRequestWith, type DpopKey, newDpopKey } from '../kit/dpop-key.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** DPoP proofs and client assertions are not stored if their requests have no effect (ADR-0156). */

const claims = async ({ env: { DB } }: TestApp) =>
  (await DB.prepare(
    "select count(*) as n from oidc_model_instances where model_name = 'ReplayDetection'",
  ).first<number>('n')) ?? 0

type Bound = { app: TestApp; key: DpopKey; token: string }

async function send({ app, key, token }: Bound, method: string, path: string, body?: object) {
  const dpop = await key.prove(method, path, token)
  return app.fetch(path, {
    method,
    headers: {
      authorization: `DPoP ${token}`,
      dpop,
      'cf-connecting-ip': '198.51.100.8',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

it('[ASVS-2.4.1-38] the management API stores no DPoP proofs of users without a role', async () => {
  const app = openTestApp()
  const key = await newDpopKey()
  const browser = newCookieClient(app)
  const redirect_uri = `${ORIGIN}/console/`
  const resource = MANAGEMENT_RESOURCE.indicator
  const request = await authorizationRequest({
    client_id: 'console',
    redirect_uri,
    resource,
    scope: 'openid all users:write',
  })
  const uid = await openSignInPage(browser, request)
  const back = await resumeAuthorization(browser, await registerAccount(browser, uid, freshName()))
  const redeemed = await app.fetch('/oidc/token', {
    method: 'POST',
    headers: { DPoP: await key.prove('POST', '/oidc/token') },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'console',
      redirect_uri,
      resource,
      code: back.searchParams.get('code') ?? '',
      code_verifier: request.verifier,
    }),
  })
  const { access_token: token } = (await redeemed.json()) as { access_token: string }
  const before = await claims(app)
  const statuses: number[] = []
  for (let n = 0; n < 3; n++) {
    statuses.push((await send({ app, key, token }, 'POST', '/api/users', {})).status)
  }
  expect(statuses).toEqual([403, 403, 403])
  expect(await claims(app)).toBe(before)
})

it('[ASVS-2.4.1-39] DPoP proofs for reads and for changes over the account’s rate limit are not stored', async () => {
  const key = await newDpopKey()
  const app = openTestApp()
  const answer = await (await codeRequestWith(app, key))()
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const limited = openTestApp({ ACCOUNT_RATE_LIMIT: { limit: async () => ({ success: false }) } })
  const before = await claims(app)
  const calls = [
    ['GET', '/oidc/me', 200],
    ['POST', '/oidc/me', 200],
    ['GET', '/api/me', 200],
    ['GET', '/api/me/custom-data', 403],
    ['PATCH', '/api/me', 429],
    ['DELETE', '/api/me/identities/none', 403],
  ] as const
  for (const [method, path, status] of calls) {
    const sent = await send({ app: limited, key, token }, method, path, method === 'PATCH' ? {} : undefined)
    expect([method, path, sent.status]).toEqual([method, path, status])
  }
  expect(await claims(app)).toBe(before)
  expect((await send({ app, key, token }, 'PATCH', '/api/me', { name: 'Ann' })).status).toBe(200)
  expect(await claims(app)).toBe(before + 1)
})

it('[ASVS-2.4.1-40] client assertions of an unregistered client with made-up tokens are not stored', async () => {
  const app = await appForAgents()
  const key = await newSigningKey()
  const document = {
    ...agentDocument,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [key.jwk] },
  }
  const site = publish({ [AGENT]: () => Response.json(document) })
  onTestFinished(site.restore)
  const before = await claims(app)
  const calls = [
    ['/oidc/token', { grant_type: 'refresh_token', refresh_token: 'made-up' }, 400],
    ['/oidc/token/introspection', { token: 'made-up' }, 200],
    ['/oidc/token/revocation', { token: 'made-up' }, 200],
  ] as const
  for (const [path, form, status] of calls) {
    const assertion = await assertionOf(key, AGENT, { aud: `${app.origin}/oidc` })
    const body = new URLSearchParams({ client_id: AGENT, ...form, ...assertion })
    expect([path, (await app.fetch(path, { method: 'POST', body })).status]).toEqual([path, status])
  }
  expect(await claims(app)).toBe(before)
})
