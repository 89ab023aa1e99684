import { afterAll, describe, expect, it } from 'vitest'
import { freshName, newCookieClient } from '../../kit/clients/cookie-client.ts'
import { openTenant } from '../tenant.ts'
import { startUpstream } from './upstream.ts'
import { type ProviderAccount, providerAccounts } from './upstream-accounts.ts'
import { registerConnector, type UpstreamKind } from './upstream-connectors.ts'
import { answerAt } from './upstream-sign-in.ts'

/**
 * Tests sign-ins from the application to a provider and back, with every kind of connector but without a
 * browser.
 */

const kinds = ['oidc', 'oidcFormPost', 'google', 'oauth2', 'github'] as const satisfies UpstreamKind[]

const { origin, call, offer, openApplication } = await openTenant()
const app = await openApplication('Social')
const upstream = await startUpstream()
for (const kind of kinds) {
  await call('POST', '/connectors', await registerConnector(upstream, kind, { id: `server-${kind}`, origin }))
}
const connectors = await call<{ target: string }[]>('GET', '/connectors')
await offer({ socialSignInConnectorTargets: connectors.map(({ target }) => target) })
afterAll(() => upstream.close())

describe.each(kinds)('with %s', (kind) => {
  it('a new user registers, and signs in the next time', async () => {
    const username = freshName()
    const first = await beginInteraction(`server-${kind}`, providerAccounts.ann)
    expect(await first.submit()).toMatchObject({ code: 'user.identity_not_exist' })
    await first.ask('PUT', '/event', { event: 'Register' })
    await first.ask('PATCH', '/profile', { connectorId: `server-${kind}` })
    // The sign-up settings require a username.
    expect(await first.submit()).toMatchObject({
      code: 'user.missing_profile',
      data: { missingProfile: ['username'] },
    })
    await first.ask('PATCH', '/profile', { username })
    await first.enter()

    const again = await beginInteraction(`server-${kind}`, providerAccounts.ann)
    await again.enter()

    const [user] = await call<{ username: string; name: string; identities: object }[]>(
      'GET',
      `/users?search.username=${username}&mode.username=exact`,
    )
    expect(user).toMatchObject({ username, name: providerAccounts.ann.name })
    expect(Object.keys(user?.identities ?? {})).toHaveLength(1)
  })

  it('the page reports an error at the provider', async () => {
    const client = await beginInteraction(`server-${kind}`, null)
    expect(client.shown).toMatchObject({ code: 'connector.authorization_failed' })
  })
})

/**
 * Follows the redirects from the application through the pages to the provider, and back with the provider's
 * response.
 */
async function beginInteraction(connectorId: string, providerAccount: ProviderAccount | null) {
  const client = newCookieClient({
    fetch: (path, init) => fetch(new URL(path, origin), { redirect: 'manual', ...init }),
  })
  const { url, state } = await app.authorizationUrl()
  const begun = locationOf(await client.get(url))
  const uid = begun.searchParams.get('interaction') ?? ''
  const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, string>> => {
    const response = await client.send(method, `/api/interaction${path}`, body, { Interaction: uid })
    return response.status === 204 ? {} : ((await response.json()) as Record<string, string>)
  }

  expect(await ask('PUT', '', { event: 'SignIn' })).toEqual({})
  const { redirectTo = '' } = await ask('POST', '/verification/social-authorization-uri', {
    connectorId,
    state: `${uid}.${crypto.randomUUID()}`,
    redirectUri: `${origin}/callback/${connectorId}`,
  })
  const back = await answerAt(redirectTo, providerAccount)
  const sentBack = back.form
    ? locationOf(await client.post(back.url.pathname, back.form, { 'sec-fetch-site': 'cross-site' }))
    : back.url
  const page = locationOf(await client.get(sentBack.pathname + sentBack.search))
  expect(page.pathname).toBe(`/sign-in/social/${connectorId}`)
  const { interaction, ...connectorData } = Object.fromEntries(page.searchParams)
  expect(interaction).toBe(uid)

  const submit = () => ask('POST', '/submit')
  return {
    ask,
    submit,
    shown: await ask('PATCH', '/identifiers', { connectorId, connectorData }),
    /** Submits the interaction and follows the redirect to the application. */
    async enter() {
      const answer = await submit()
      expect(answer).toEqual({ redirectTo: expect.any(String) })
      const entered = new URL(answer.redirectTo ?? '')
      expect(entered.origin + entered.pathname).toBe(app.callback)
      expect(entered.searchParams.get('code')).toBeTruthy()
      expect(entered.searchParams.get('state')).toBe(state)
    },
  }

  function locationOf(response: Response): URL {
    expect([302, 303]).toContain(response.status)
    return new URL(response.headers.get('location') ?? '', origin)
  }
}
