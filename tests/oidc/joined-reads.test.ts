import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  type PreparedAuthorization,
  registerAccount,
  resumeAuthorization,
} from '../kit/clients/cookie-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { newDpopKey } from '../kit/dpop-key.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { type ClientApplication, newClient } from '../security/parties.ts'

const MAX_RUNS = 5

/**
 * Checks that even requests that need additional rows need only one reading and one writing round trip
 * (spec/budgets#provider-round-trips).
 */
describe('the provider', () => {
  let app: TestApp
  let shop: ClientApplication
  let indicator: string
  let username: string
  let browser: CookieClient
  beforeAll(async () => {
    app = openTestApp()
    const operator = await newOperator(app)
    const create = async (path: string, body: object) =>
      ((await (await operator.send('POST', path, body)).json()) as { id: string }).id
    shop = await newClient(app, 'SPA', { custom: { isThirdParty: true } })
    indicator = `https://orders.example/${freshName()}`
    const resource = await create('/resources', { name: 'Orders', indicator })
    const read = await create(`/resources/${resource}/scopes`, { name: 'read', description: '' })
    const roleId = await create('/roles', { name: freshName(), description: '', scopeIds: [read] })

    username = freshName()
    browser = newCookieClient(app)
    await resumeAuthorization(
      browser,
      await registerAccount(browser, await openSignInPage(browser, await authorizationRequest()), username),
    )
    const users = await (await operator.get(`/users?search=${username}`)).json()
    const [{ id }] = users as [{ id: string }]
    await operator.send('POST', `/users/${id}/roles`, { roleIds: [roleId] })
    const first = await browser.get((await shopRequest({ scope: everything, resource: indicator })).url)
    const consentPage = new URL(first.headers.get('location') ?? '', ORIGIN)
    expect((await agree(consentPage)).searchParams.has('code')).toBe(true)
  })

  const everything = 'openid offline_access read'
  const shopRequest = (more: Record<string, string> = {}) =>
    authorizationRequest({ client_id: shop.id, redirect_uri: shop.redirectUri, ...more })

  const agree = async (consentPage: URL) => {
    const Interaction = consentPage.searchParams.get('interaction') ?? ''
    const decision = { decision: 'allow' }
    return resumeAuthorization(
      browser,
      await browser.send('POST', '/api/interaction/consent', decision, { Interaction }),
    )
  }

  /**
   * Returns the lowest number of round trips in several runs, because a run may refresh cached values after five
   * seconds.
   */
  async function countAwaited<T>(call: () => Promise<T>): Promise<{ least: number; value: T }> {
    let value = await call()
    let least = app.trips().awaited
    for (let run = 1; run < MAX_RUNS && least > 2; run++) {
      app.trips()
      value = await call()
      least = Math.min(least, app.trips().awaited)
    }
    return { least, value }
  }

  const token = (
    request: PreparedAuthorization,
    body: Record<string, string>,
    headers: Record<string, string> = {},
  ) =>
    app.fetch('/oidc/token', {
      method: 'POST',
      headers,
      body: new URLSearchParams({
        client_id: shop.id,
        code_verifier: request.verifier,
        redirect_uri: shop.redirectUri,
        ...body,
      }),
    })

  const codeIn = (answer: Response) =>
    new URL(answer.headers.get('location') ?? '', ORIGIN).searchParams.get('code') ?? ''

  it('needs two round trips for a silent sign-in at a third-party application that requests a resource', async () => {
    const request = await shopRequest({ scope: 'openid read', resource: indicator, prompt: 'none' })
    const { least, value } = await countAwaited(() => browser.get(request.url))
    expect(codeIn(value)).not.toBe('')
    expect(least).toBe(2)
  })

  it('needs two round trips for a silent sign-in with a pushed request', async () => {
    const request = await shopRequest({ scope: 'openid', prompt: 'none' })
    const { least, value } = await countAwaited(async () => {
      const body = new URL(request.url, ORIGIN).searchParams
      const pushed = await app.fetch('/oidc/request', { method: 'POST', body })
      const { request_uri } = (await pushed.json()) as { request_uri: string }
      app.trips()
      return browser.get(`/oidc/auth?${new URLSearchParams({ client_id: shop.id, request_uri })}`)
    })
    expect(codeIn(value)).not.toBe('')
    expect(least).toBe(2)
  })

  it('needs two round trips to submit a sign-in and finish its authorization, with or without an existing session', async () => {
    const { least: withoutSession } = await countAwaited(async () => signInAgain(newCookieClient(app)))
    expect(withoutSession).toBe(2)
    const { least: withSession } = await countAwaited(async () => signInAgain(browser, { prompt: 'login' }))
    expect(withSession).toBe(2)
  })

  /** Signs in, but counts only the round trips of the submit. */
  async function signInAgain(client: CookieClient, more: Record<string, string> = {}) {
    const request = await shopRequest({ scope: 'openid read', resource: indicator, ...more })
    const headers = { Interaction: await openSignInPage(client, request) }
    const identifier = { username, password: PASSWORD }
    await client.send('PUT', '/api/interaction', { event: 'SignIn', identifier }, headers)
    app.trips()
    const submitted = await client.send('POST', '/api/interaction/submit', undefined, headers)
    const { redirectTo } = (await submitted.json()) as { redirectTo: string }
    expect(new URL(redirectTo).searchParams.has('code')).toBe(true)
  }

  it('needs two round trips to issue DPoP-bound tokens for a resource, with a code or a refresh token', async () => {
    const key = await newDpopKey()
    const proof = async () => ({ DPoP: await key.prove('POST', '/oidc/token') })
    const grant = { grant_type: 'authorization_code', resource: indicator }
    const redeemed = await countAwaited(async () => {
      const request = await shopRequest({ scope: 'openid read', resource: indicator })
      const code = codeIn(await browser.get(request.url))
      const headers = await proof()
      app.trips()
      return token(request, { ...grant, code }, headers)
    })
    expect([redeemed.value.status, redeemed.least]).toEqual([200, 2])

    const request = await shopRequest({ scope: everything, resource: indicator, prompt: 'consent' })
    const consentPage = new URL((await browser.get(request.url)).headers.get('location') ?? '', ORIGIN)
    const code = (await agree(consentPage)).searchParams.get('code') ?? ''
    const tokens = await token(request, { grant_type: 'authorization_code', code }, await proof())
    const { refresh_token = '' } = (await tokens.json()) as { refresh_token?: string }
    const refreshed = await countAwaited(async () => {
      const headers = await proof()
      app.trips()
      return token(request, { grant_type: 'refresh_token', refresh_token, resource: indicator }, headers)
    })
    expect([refreshed.value.status, refreshed.least]).toEqual([200, 2])
  })
})
