import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  openSignInPage,
  redeemCode,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../tests/kit/clients/cookie-client.ts'
import type { LocalServer } from './local-server.ts'

/** An application and its users, who have accounts. */
export type VirtualUsers = {
  newVirtualUser(): Promise<VirtualUser>
}

export type VirtualUser = {
  /**
   * Signs in from a browser without cookies: authorization request, page, password, submit, resume, token request.
   */
  signIn(): Promise<void>
  /**
   * Signs in and consents to offline access. Returns a function that exchanges the current refresh token for the next
   * one.
   */
  connectOffline(): Promise<() => Promise<void>>
}

type Server = Pick<LocalServer, 'bare' | 'managementSecret'>

export async function openVirtualUsers({ bare, managementSecret }: Server): Promise<VirtualUsers> {
  const fetcher = {
    fetch: (path: string, init?: RequestInit) => fetch(new URL(path, bare), { redirect: 'manual', ...init }),
  }
  const redirectUri = `${bare}/bench/empty`
  const clientId = await newApplication(fetcher, { managementSecret, redirectUri })
  const newRequest = (more: Record<string, string> = {}) =>
    authorizationRequest({ client_id: clientId, redirect_uri: redirectUri, ...more })

  async function fetchTokens(back: URL, request: Awaited<ReturnType<typeof newRequest>>): Promise<Tokens> {
    const code = back.searchParams.get('code')
    if (!code) throw new Error(`The redirect has no code: ${back}`)
    return parseJson<Tokens>('the tokens', await redeemCode(fetcher, request, code, clientId))
  }

  return {
    async newVirtualUser() {
      const username = freshName()
      const firstClient = newCookieClient(fetcher)
      const first = await newRequest()
      await fetchTokens(
        await resumeAuthorization(
          firstClient,
          await registerAccount(firstClient, await openSignInPage(firstClient, first), username),
        ),
        first,
      )

      return {
        async signIn() {
          const client = newCookieClient(fetcher)
          const request = await newRequest()
          const uid = await openSignInPage(client, request)
          await openPage(client, `/sign-in?interaction=${uid}`)
          await fetchTokens(await resumeAuthorization(client, await signIn(client, uid, username)), request)
        },
        async connectOffline() {
          const client = newCookieClient(fetcher)
          const request = await newRequest({ scope: 'openid offline_access', prompt: 'login consent' })
          const consent = await resumeAuthorization(
            client,
            await signIn(client, await openSignInPage(client, request), username),
          )
          const Interaction = consent.searchParams.get('interaction') ?? ''
          const consentResponse = await client.send('POST', '/api/interaction/consent', undefined, {
            Interaction,
          })
          let { refresh_token: token = '' } = await fetchTokens(
            await resumeAuthorization(client, consentResponse),
            request,
          )
          return async () => {
            const body = new URLSearchParams({
              grant_type: 'refresh_token',
              client_id: clientId,
              refresh_token: token,
            })
            const response = await fetcher.fetch('/oidc/token', { method: 'POST', body })
            token = (await parseJson<Tokens>('a refresh', response)).refresh_token ?? token
          }
        },
      }
    },
  }
}

type Tokens = { access_token: string; refresh_token?: string }
type Fetcher = Parameters<typeof newCookieClient>[0]

async function newApplication(
  fetcher: Fetcher,
  { managementSecret, redirectUri }: { managementSecret: string; redirectUri: string },
): Promise<string> {
  const { access_token } = await parseJson<Tokens>(
    'the token of the management API',
    await fetcher.fetch('/oidc/token', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`management:${managementSecret}`)}` },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        resource: 'urn:vestibule:management-api',
        scope: 'all',
      }),
    }),
  )
  const { id } = await parseJson<{ id: string }>(
    'the application',
    await fetcher.fetch('/api/applications', {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Load',
        type: 'SPA',
        oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: [] },
      }),
    }),
  )
  return id
}

async function openPage(client: CookieClient, path: string): Promise<void> {
  const response = await client.get(path, { accept: 'text/html' })
  const html = await response.text()
  if (response.status !== 200 || !html.includes('</html>'))
    throw new Error(`The page responded with ${response.status}`)
}

async function parseJson<T>(what: string, response: Response): Promise<T> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${what}: ${response.status} ${text.slice(0, 200)}`)
  return JSON.parse(text) as T
}
