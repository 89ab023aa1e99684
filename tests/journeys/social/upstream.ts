import { randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration, interactionPolicy } from 'oidc-provider'
import { certificate } from '../../kit/certificate.ts'
import {
  allProviderAccounts,
  claimsOf,
  DENY_BUTTON,
  loginPage,
  type ProviderAccount,
} from './upstream-accounts.ts'
import { githubRoutes } from './upstream-github.ts'
import { openUpstreamStore } from './upstream-store.ts'

/**
 * The social providers of the tests: an OpenID Provider and a plain OAuth 2.0 server. Both use the certified
 * library and listen on the loopback interface.
 */
export type Upstream = {
  /**
   * The issuer of the OpenID Provider, which requires PKCE and includes its issuer in every response (RFC
   * 9207).
   */
  openid: string
  /**
   * The URL of the OAuth 2.0 server. `/user` returns the account of a token, and `/github/*` behaves like
   * GitHub.
   */
  oauth: string
  close(): void
}

export async function startUpstream(): Promise<Upstream> {
  const providerAccounts = allProviderAccounts()
  const [openid, oauth] = await Promise.all([
    startProvider('openid', providerAccounts),
    startProvider('oauth', providerAccounts),
  ])
  return {
    openid: openid.url,
    oauth: oauth.url,
    close() {
      stop(openid.server)
      stop(oauth.server)
    },
  }
}

type Kind = 'openid' | 'oauth'

async function startProvider(kind: Kind, providerAccounts: Map<string, ProviderAccount>) {
  const server = createServer(certificate)
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, await configuration(kind, providerAccounts))
  const library = provider.callback()
  const github = githubRoutes(provider, url, providerAccounts)

  const listener: RequestListener = async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', url)
    if (pathname === '/accounts') return addProviderAccount(request, response)
    if (pathname.startsWith('/login/')) return login(request, response)
    if (kind === 'oauth' && (await github(pathname, request, response))) return
    return library(request, response)
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    Promise.resolve(listener(request, response)).catch((error) => {
      response.writeHead(500).end(String(error))
    })
  })
  return { server, url }

  async function addProviderAccount(request: IncomingMessage, response: ServerResponse) {
    const providerAccount: ProviderAccount = JSON.parse(await read(request))
    providerAccounts.set(providerAccount.id, providerAccount)
    response.writeHead(204).end()
  }

  /** The provider's page, which has a button for each account and one for denying the request. */
  async function login(request: IncomingMessage, response: ServerResponse) {
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(loginPage(kind, providerAccounts))
      return
    }
    const providerAccount = new URLSearchParams(await read(request)).get('account')
    const result =
      providerAccount && providerAccount !== DENY_BUTTON
        ? { login: { accountId: providerAccount } }
        : { error: 'access_denied', error_description: 'The user refused' }
    await provider.interactionFinished(request, response, result)
  }
}

async function configuration(
  kind: Kind,
  providerAccounts: Map<string, ProviderAccount>,
): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const hour = 3600
  return {
    adapter: openUpstreamStore(),
    cookies: {
      keys: [randomBytes(32).toString('hex')],
      names: {
        session: `_${kind}_session`,
        interaction: `_${kind}_interaction`,
        resume: `_${kind}_resume`,
      },
    },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: kind }] },
    scopes: kind === 'openid' ? ['openid', 'profile', 'email', 'phone'] : ['read:user', 'user:email'],
    claims: {
      openid: ['sub'],
      profile: ['name', 'picture'],
      email: ['email', 'email_verified'],
      phone: ['phone_number', 'phone_number_verified'],
    },
    // As at most providers, an ID token contains the claims of the requested scopes.
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      jwtUserinfo: { enabled: true },
      registration: { enabled: true },
    },
    pkce: { required: () => kind === 'openid' },
    interactions: { policy: askingEveryTime(), url: (_ctx, { uid }) => `/login/${uid}` },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      Grant: hour,
      IdToken: hour,
      Interaction: hour,
      Session: hour,
    },
    async findAccount(_ctx, sub, token) {
      const providerAccount = providerAccounts.get(sub)
      if (!providerAccount) return undefined
      const { hasBareIdToken = false, userInfoSubject = sub } = providerAccount
      return {
        // An access token is only presented to userinfo.
        accountId: token?.kind === 'AccessToken' ? userInfoSubject : sub,
        claims: (use) => ({ sub, ...(!(use === 'id_token' && hasBareIdToken) && claimsOf(providerAccount)) }),
      }
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      })
      grant.addOIDCScope(String(oidc.params?.scope ?? ''))
      await grant.save()
      return grant
    },
    renderError(ctx, { error, error_description }) {
      ctx.type = 'text/plain'
      ctx.body = `${error}: ${error_description}`
    },
  }
}

/** Prompts for the account in every request, so that tests do not affect each other. */
function askingEveryTime() {
  const policy = interactionPolicy.base()
  const { Check } = interactionPolicy
  policy.get('login')?.checks.add(
    new Check('every_time', 'who is it this time', 'login_required', ({ oidc }) => {
      return oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
    }),
  )
  return policy
}

async function read(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function stop(server: Server) {
  server.close()
  server.closeAllConnections()
}
