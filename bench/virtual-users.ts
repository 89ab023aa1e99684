import {
  authorization,
  begin,
  type CookieClient,
  freshName,
  newCookieClient,
  redeem,
  register,
  resume,
  signIn,
} from '../tests/kit/cookie-client.ts'
import type { LocalServer } from './local-server.ts'

/** An application with people who have accounts already. */
export type Population = {
  newInhabitant(): Promise<VirtualUser>
}

export type VirtualUser = {
  /** In a browser that knows nothing: authorization, page, password, submit, resume, code for tokens. */
  signIn(): Promise<void>
  /** With consent to offline access; answers what spends one refresh token for the next, again and again. */
  stayConnected(): Promise<() => Promise<void>>
}

type Server = Pick<LocalServer, 'bare' | 'managementSecret'>

export async function openPopulation({ bare, managementSecret }: Server): Promise<Population> {
  const house = {
    fetch: (path: string, init?: RequestInit) => fetch(new URL(path, bare), { redirect: 'manual', ...init }),
  }
  const redirectUri = `${bare}/bench/empty`
  const clientId = await newApplication(house, { managementSecret, redirectUri })
  const ask = (more: Record<string, string> = {}) =>
    authorization({ client_id: clientId, redirect_uri: redirectUri, ...more })

  async function tokensFor(back: URL, request: Awaited<ReturnType<typeof ask>>): Promise<Tokens> {
    const code = back.searchParams.get('code')
    if (!code) throw new Error(`No code came back: ${back}`)
    return told<Tokens>('the tokens', await redeem(house, request, code, clientId))
  }

  return {
    async newInhabitant() {
      const username = freshName()
      const newcomer = newCookieClient(house)
      const first = await ask()
      await tokensFor(
        await resume(newcomer, await register(newcomer, await begin(newcomer, first), username)),
        first,
      )

      return {
        async signIn() {
          const visitor = newCookieClient(house)
          const request = await ask()
          const uid = await begin(visitor, request)
          await page(visitor, `/sign-in?interaction=${uid}`)
          await tokensFor(await resume(visitor, await signIn(visitor, uid, username)), request)
        },
        async stayConnected() {
          const visitor = newCookieClient(house)
          const request = await ask({ scope: 'openid offline_access', prompt: 'login consent' })
          const consent = await resume(
            visitor,
            await signIn(visitor, await begin(visitor, request), username),
          )
          const Interaction = consent.searchParams.get('interaction') ?? ''
          const agreed = await visitor.send('POST', '/api/interaction/consent', undefined, { Interaction })
          let { refresh_token: token = '' } = await tokensFor(await resume(visitor, agreed), request)
          return async () => {
            const body = new URLSearchParams({
              grant_type: 'refresh_token',
              client_id: clientId,
              refresh_token: token,
            })
            const answer = await house.fetch('/oidc/token', { method: 'POST', body })
            token = (await told<Tokens>('a refresh', answer)).refresh_token ?? token
          }
        },
      }
    },
  }
}

type Tokens = { access_token: string; refresh_token?: string }
type House = Parameters<typeof newCookieClient>[0]

async function newApplication(
  house: House,
  { managementSecret, redirectUri }: { managementSecret: string; redirectUri: string },
): Promise<string> {
  const { access_token } = await told<Tokens>(
    'the token of the management API',
    await house.fetch('/oidc/token', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`management:${managementSecret}`)}` },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        resource: 'urn:vestibule:management-api',
        scope: 'all',
      }),
    }),
  )
  const { id } = await told<{ id: string }>(
    'the application',
    await house.fetch('/api/applications', {
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

async function page(visitor: CookieClient, path: string): Promise<void> {
  const answer = await visitor.get(path, { accept: 'text/html' })
  const html = await answer.text()
  if (answer.status !== 200 || !html.includes('</html>'))
    throw new Error(`The page was answered ${answer.status}`)
}

async function told<T>(what: string, answer: Response): Promise<T> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${text.slice(0, 200)}`)
  return JSON.parse(text) as T
}
