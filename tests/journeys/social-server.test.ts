import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshName, newCookieClient } from '../kit/cookie-client.ts'
import { type Application, openApplication } from './application.ts'
import { management } from './management.ts'
import { startUpstream, type Upstream } from './upstream.ts'
import { type Person, people } from './upstream-accounts.ts'
import { registerConnector, type UpstreamKind } from './upstream-connectors.ts'
import { answerAt } from './upstream-sign-in.ts'

/** From the application over the started server to a real provider and back, by every kind of connector; no browser. */

const kinds = ['oidc', 'oidcFormPost', 'google', 'oauth2', 'github'] as const satisfies UpstreamKind[]

let upstream: Upstream
let app: Application
let call: Awaited<ReturnType<typeof management>>
beforeAll(async () => {
  upstream = await startUpstream()
  app = await openApplication('Social')
  call = await management()
  for (const kind of kinds) {
    const at = { id: `server-${kind}`, origin: inject('origin') }
    await call('POST', '/connectors', await registerConnector(upstream, kind, at))
  }
})
afterAll(async () => {
  for (const kind of kinds) await call('DELETE', `/connectors/server-${kind}`)
  app.close()
  upstream.close()
})

describe.each(kinds)('by %s', (kind) => {
  it('somebody registers, and signs in the next time', async () => {
    const username = freshName()
    const first = await beginInteraction(`server-${kind}`, people.ann)
    expect(await first.submit()).toMatchObject({ code: 'user.identity_not_exist' })
    await first.ask('PUT', '/event', { event: 'Register' })
    await first.ask('PATCH', '/profile', { connectorId: `server-${kind}` })
    // What this server asks everybody for when they sign up.
    expect(await first.submit()).toMatchObject({
      code: 'user.missing_profile',
      data: { missingProfile: ['username'] },
    })
    await first.ask('PATCH', '/profile', { username })
    await first.enter()

    const again = await beginInteraction(`server-${kind}`, people.ann)
    await again.enter()

    const [user] = await call<{ username: string; name: string; identities: object }[]>(
      'GET',
      `/users?search.username=${username}&mode.username=exact`,
    )
    expect(user).toMatchObject({ username, name: people.ann.name })
    expect(Object.keys(user?.identities ?? {})).toHaveLength(1)
  })

  it('somebody who says no there is told so', async () => {
    const client = await beginInteraction(`server-${kind}`, null)
    expect(client.shown).toMatchObject({ code: 'connector.authorization_failed' })
  })
})

/** At the application, at our pages, at the provider, and back with an answer that is shown to our server. */
async function beginInteraction(connectorId: string, person: Person | null) {
  const origin = inject('origin')
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
  const back = await answerAt(redirectTo, person)
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
    /** Submits, and goes on to the application. */
    async enter() {
      const answer = await submit()
      expect(answer).toEqual({ redirectTo: expect.any(String) })
      const entered = locationOf(await client.get(answer.redirectTo ?? ''))
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
