import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type { ProviderAccount } from './upstream-accounts.ts'

/**
 * Adds to an OAuth 2.0 server what the library lacks: a URL that returns the account of a token, and the
 * behaviour of GitHub, which accepts the code in JSON, omits fields that RFC 6749 requires, responds with a
 * form, and reports errors with status 200.
 */
export function githubRoutes(
  provider: Provider,
  url: string,
  providerAccounts: ReadonlyMap<string, ProviderAccount>,
) {
  return async (path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    switch (path) {
      case '/user':
        json(response, await owner(request, 'Bearer'))
        return true
      case '/github/user':
        // Only the list contains the address, because the accounts have made none public.
        json(response, await owner(request, 'token').then((user) => user && { ...user, email: null }))
        return true
      case '/github/user/emails':
        json(response, await addressesOf(request))
        return true
      case '/github/authorize': {
        const onward = new URL('/auth', url)
        onward.search = new URL(request.url ?? '', url).search
        onward.searchParams.set('response_type', 'code')
        response.writeHead(302, { location: onward.href }).end()
        return true
      }
      case '/github/token':
        await exchange(request, response)
        return true
      default:
        return false
    }
  }

  async function exchange(request: IncomingMessage, response: ServerResponse) {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const parameters: Record<string, string> = JSON.parse(Buffer.concat(chunks).toString())
    const answer = await fetch(`${url}/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...parameters, grant_type: 'authorization_code' }),
    })
    const { access_token: token, scope = '' } = (await answer.json()) as Record<string, string>
    const reply: Record<string, string> = token
      ? { access_token: token, scope, token_type: 'bearer' }
      : { error: 'bad_verification_code' }
    response.setHeader('content-type', 'application/x-www-form-urlencoded')
    response.end(new URLSearchParams(reply).toString())
  }

  async function tokenOwner(request: IncomingMessage, scheme: string) {
    const [named, token = ''] = request.headers.authorization?.split(' ') ?? []
    const accessToken = named === scheme ? await provider.AccessToken.find(token) : undefined
    return { accessToken, providerAccount: accessToken && providerAccounts.get(accessToken.accountId) }
  }

  /** Returns the addresses of an account, which require a scope of their own. */
  async function addressesOf(request: IncomingMessage) {
    const { accessToken, providerAccount } = await tokenOwner(request, 'token')
    if (!providerAccount || !accessToken?.scopes.has('user:email')) return null
    const { email, isVerified = false } = providerAccount
    return email ? [{ email, primary: true, verified: isVerified, visibility: 'private' }] : []
  }

  async function owner(request: IncomingMessage, scheme: string) {
    const { providerAccount } = await tokenOwner(request, scheme)
    if (!providerAccount) return null
    const { id, name, picture, email, phone, isVerified } = providerAccount
    return {
      id,
      login: id,
      name,
      avatar_url: picture ?? null,
      // Servers like GitHub reveal only addresses that they have verified.
      email: (isVerified && email) || null,
      phone: isVerified && phone ? `+${phone}` : null,
    }
  }
}

function json(response: ServerResponse, body: object | null) {
  response.writeHead(body ? 200 : 401, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body ?? { message: 'Bad credentials' }))
}
