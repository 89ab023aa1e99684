import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { authorizationRequest } from '../../kit/clients/cookie-client.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp } from '../../kit/test-app.ts'
import {
  atTokenEndpoint,
  type ClientApplication,
  codeGrant,
  newArrival,
  newClient,
} from '../../security/parties.ts'

/** Tests which requests get `offline_access` without asking for consent (spec/provider#offline-access). */

const app = openTestApp()
const SCOPE = 'openid profile offline_access'

const dropped = async (client: ClientApplication) =>
  (
    await app.env.DB.prepare(
      "select endpoint, count from failed_requests where application_id = ? and error = 'offline_access.dropped'",
    )
      .bind(client.id)
      .all()
  ).results

async function push(client: ClientApplication, scope: string) {
  const request = await authorizationRequest({
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope,
  })
  const body = new URLSearchParams(request.url.split('?')[1])
  const pushed = await app.fetch('/oidc/request', { method: 'POST', body })
  const { request_uri } = (await pushed.json()) as { request_uri: string }
  return { request, url: `/oidc/auth?${new URLSearchParams({ client_id: client.id, request_uri })}` }
}

describe('a first-party application', () => {
  it.each(['Native', 'SPA'] as const)(
    'of type %s gets a refresh token without prompt=consent',
    async (type) => {
      const client = await newClient(app, type)
      const arrived = await newArrival(app, client, { scope: SCOPE })
      const { tokens } = await atTokenEndpoint(app, codeGrant(client, arrived))
      expect(tokens.refresh_token).toBeTruthy()
      expect(decodeJwt(tokens.id_token).sub).toBeTruthy()
      expect(await dropped(client)).toEqual([])
    },
  )

  it.each<Record<string, string>>([{}, { prompt: 'none' }])(
    'gets one in an existing session without a page: %j',
    async (more) => {
      const client = await newClient(app, 'Native')
      const { client: browser } = await storeVisitor(app)
      const request = await authorizationRequest({
        client_id: client.id,
        redirect_uri: client.redirectUri,
        scope: SCOPE,
        ...more,
      })
      const code = codeIn(await browser.get(request.url))
      const { tokens } = await atTokenEndpoint(app, codeGrant(client, { code, request }))
      expect(tokens.refresh_token).toBeTruthy()
    },
  )

  it('gets one for a pushed request', async () => {
    const client = await newClient(app, 'Native')
    const { request, url } = await push(client, SCOPE)
    const { client: browser } = await storeVisitor(app)
    const { tokens } = await atTokenEndpoint(
      app,
      codeGrant(client, { code: codeIn(await browser.get(url)), request }),
    )
    expect(tokens.refresh_token).toBeTruthy()
  })

  it('gets none that it has not requested', async () => {
    const client = await newClient(app, 'Native')
    const arrived = await newArrival(app, client, { scope: 'openid profile' })
    const { tokens } = await atTokenEndpoint(app, codeGrant(client, arrived))
    expect(tokens.access_token).toBeTruthy()
    expect(tokens.refresh_token).toBeUndefined()
  })
})

describe('a third party', () => {
  it('gets none without prompt=consent, and its request is counted for the operator', async () => {
    const client = await newClient(app, 'Native', { custom: { isThirdParty: true } })
    const { tokens } = await atTokenEndpoint(
      app,
      codeGrant(client, await newArrival(app, client, { scope: SCOPE })),
    )
    expect(tokens.access_token).toBeTruthy()
    expect(tokens.refresh_token).toBeUndefined()
    expect(await dropped(client)).toEqual([{ endpoint: 'authorization', count: 1 }])

    const { tokens: consented } = await atTokenEndpoint(
      app,
      codeGrant(client, await newArrival(app, client, { scope: SCOPE, prompt: 'consent' })),
    )
    expect(consented.refresh_token).toBeTruthy()
    expect(await dropped(client)).toEqual([{ endpoint: 'authorization', count: 1 }])
  })

  it('has its pushed request counted once, where it sent the scope', async () => {
    const client = await newClient(app, 'Native', { custom: { isThirdParty: true } })
    const { url } = await push(client, SCOPE)
    const { client: browser } = await storeVisitor(app)
    await browser.get(url)
    expect(await dropped(client)).toEqual([{ endpoint: 'pushed_authorization_request', count: 1 }])
  })
})

const codeIn = (response: Response) =>
  new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
