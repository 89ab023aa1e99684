import { MANAGEMENT_CLIENT_ID, MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../src/contract/product.ts'
import {
  type CookieClient,
  freshName,
  newCookieClient,
  PASSWORD,
} from '../tests/kit/clients/cookie-client.ts'
import type { LocalServer } from './local-server.ts'
import type { Delays, StatementCounts } from './worker.ts'

/** A server with an application and a user, and functions that count the cost of calls. */
export type Fixtures = {
  redirectUri: string
  clientId: string
  username: string
  userId: string
  newCookieClient(): CookieClient
  fetch(path: string, init?: RequestInit): Promise<Response>
  codeTo(address: string): string
  /** Returns the database calls since the previous count, once all background work is done. */
  counts(): Promise<StatementCounts>
  /** Delays every call to a store from now on. */
  setDelays(delays: Delays): Promise<void>
}

export async function createFixtures({ bare, managementSecret, messages }: LocalServer): Promise<Fixtures> {
  const request: Fixtures['fetch'] = (path, init) =>
    fetch(new URL(path, bare), { redirect: 'manual', ...init })
  const tokenResponse = await request('/oidc/token', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${MANAGEMENT_CLIENT_ID}:${managementSecret}`)}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: MANAGEMENT_RESOURCE.indicator,
      scope: MANAGEMENT_SCOPE.name,
    }),
  })
  const { access_token } = (await tokenResponse.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const redirectUri = 'https://app.example.com/callback'
  const createResource = async (method: string, path: string, body: unknown) => {
    const response = await request(`/api${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { id: string }
  }

  const { id: clientId } = await createResource('POST', '/applications', {
    name: 'Bench',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: [] },
  })
  const config = { endpoint: 'https://mail.example.com/', authentication: 'None' }
  await createResource('POST', '/connectors', { connectorId: 'http-email', config })
  await createResource('PATCH', '/sign-in-exp', {
    signUp: { identifiers: ['email'], password: false, verify: true },
    signIn: {
      methods: [
        { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
        { identifier: 'email', password: false, verificationCode: true, isPasswordPrimary: false },
      ],
    },
  })
  const username = freshName()
  const { id: userId } = await createResource('POST', '/users', {
    username,
    password: PASSWORD,
    primaryEmail: `${username}@example.com`,
  })

  return {
    redirectUri,
    clientId,
    username,
    userId,
    newCookieClient: () => newCookieClient({ fetch: request }),
    fetch: request,
    codeTo(address) {
      const message = messages.findLast(({ to }) => to === address)
      if (!message) throw new Error(`No message was sent to ${address}`)
      return message.code
    },
    async setDelays({ d1, kv }) {
      await fetch(`${bare}/bench/delays?d1=${d1}&kv=${kv}`)
    },
    async counts() {
      for (;;) {
        const response = await fetch(`${bare}/bench/counts`)
        const counts = (await response.json()) as StatementCounts
        if (counts.pending === 0) return counts
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}
