import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  type PreparedAuthorization,
  registerAccount,
  resumeAuthorization,
} from '../kit/clients/cookie-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import type { TestApp } from '../kit/test-app.ts'

export type ClientApplication = { id: string; secret: string; redirectUri: string }

/** Creates an application in the tenant. */
export async function newClient(
  app: TestApp,
  type: 'SPA' | 'Native' | 'Traditional',
  { name = 'Shop', redirectUri = 'https://shop.example/back', custom = {} } = {},
): Promise<ClientApplication> {
  const operator = await newOperator(app)
  const created = await operator.send('POST', '/applications', {
    name,
    type,
    oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: ['https://shop.example/bye'] },
    customClientMetadata: custom,
  })
  const { id, secret } = (await created.json()) as { id: string; secret: string }
  return { id, secret, redirectUri }
}

export type AuthorizedBrowser = {
  browser: CookieClient
  request: PreparedAuthorization
  back: URL
  code: string
}

/** Registers a user. Returns the browser, and the code with which it was redirected to the application. */
export async function newArrival(
  app: TestApp,
  client: ClientApplication,
  parameters: Record<string, string> = {},
): Promise<AuthorizedBrowser> {
  const browser = newCookieClient(app)
  const request = await authorizationRequest({
    client_id: client.id,
    redirect_uri: client.redirectUri,
    ...parameters,
  })
  let back = await resumeAuthorization(
    browser,
    await registerAccount(browser, await openSignInPage(browser, request), freshName()),
  )
  const uid = back.searchParams.get('interaction')
  if (uid) {
    const decision = { decision: 'allow' }
    const consented = await browser.send('POST', '/api/interaction/consent', decision, { Interaction: uid })
    back = await resumeAuthorization(browser, consented)
  }
  return { browser, request, back, code: back.searchParams.get('code') ?? '' }
}

export type TokenResponse = { access_token: string; id_token: string; refresh_token?: string; error?: string }

export const basicHeader = ({ id, secret }: ClientApplication) => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
})

export async function atTokenEndpoint(
  app: TestApp,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; tokens: TokenResponse }> {
  const response = await app.fetch('/oidc/token', {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  })
  return { status: response.status, tokens: (await response.json()) as TokenResponse }
}

/** Returns a public client's token request for a code. */
export const codeGrant = (
  client: ClientApplication,
  { code, request }: Pick<AuthorizedBrowser, 'code' | 'request'>,
) => ({
  grant_type: 'authorization_code',
  client_id: client.id,
  code,
  code_verifier: request.verifier,
  redirect_uri: request.redirectUri,
})

/**
 * Makes an authorization request. Returns the status of the response and its redirect URL, or null if there
 * is none.
 */
export async function authorizationResult(
  app: TestApp,
  { id, redirectUri }: ClientApplication,
  parameters: Record<string, string>,
): Promise<{ status: number; to: URL | null }> {
  const { url } = await authorizationRequest({ client_id: id, redirect_uri: redirectUri, ...parameters })
  const response = await newCookieClient(app).get(url, { accept: 'application/json' })
  const location = response.headers.get('location')
  return { status: response.status, to: location ? new URL(location, ORIGIN) : null }
}
