import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificate } from '../../kit/certificate.ts'
import type { ManagementCall, NewApplication } from '../management.ts'

/** An application with its own origin that is registered with a tenant. */
export type Application = {
  /** Creates an authorization request that ends at `callback`. */
  authorizationUrl(parameters?: Record<string, string>): Promise<{ url: string; state: string }>
  callback: string
}

export type ApplicationMetadata = {
  /** A single-page application if absent. */
  type?: 'Native'
  /** The redirect URI to use instead of the callback page of these tests. */
  redirectUri?: string
  logoUri?: string
  isThirdParty?: boolean
  initiateLoginUri?: string
  policyUri?: string
  tosUri?: string
  organizationMode?: 'optional' | 'required'
}

export async function openApplication(
  { origin, call }: { origin: string; call: ManagementCall },
  name: string,
  { type, redirectUri, logoUri, ...custom }: ApplicationMetadata = {},
): Promise<Application> {
  const callback = redirectUri ?? `${await callbackOrigin()}/${crypto.randomUUID()}/callback`
  const { id } = await call<NewApplication>('POST', '/applications', {
    name,
    type: type ?? 'SPA',
    oidcClientMetadata: { redirectUris: [callback], postLogoutRedirectUris: [callback], logoUri },
    customClientMetadata: custom,
  })

  return {
    callback,
    async authorizationUrl(parameters = {}) {
      const state = crypto.randomUUID()
      const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(crypto.randomUUID()))
      const query = new URLSearchParams({
        client_id: id,
        response_type: 'code',
        scope: 'openid profile',
        redirect_uri: callback,
        code_challenge: Buffer.from(challenge).toString('base64url'),
        code_challenge_method: 'S256',
        state,
        ...parameters,
      })
      return { url: `${origin}/oidc/auth?${query}`, state }
    },
  }
}

let listening: Promise<string> | undefined

/**
 * Returns the origin of the server for the pages of all applications. Each worker process has one such
 * server, which ends with the process.
 */
function callbackOrigin(): Promise<string> {
  listening ??= new Promise((resolve) => {
    const server = createServer(certificate, (request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><link rel="icon" href="data:,"><title>Application</title><h1>Welcome</h1>')
      request.resume()
    })
    server.listen(0, '127.0.0.1', () => {
      server.unref()
      resolve(`https://application.example.test:${(server.address() as AddressInfo).port}`)
    })
  })
  return listening
}
