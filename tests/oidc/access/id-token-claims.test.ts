import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
let indicator: string
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  indicator = `https://${freshName()}.example`
  await operator.send('POST', '/resources', { name: 'API', indicator })
})

type ClaimRequest = {
  idTokenClaims?: 'all' | 'minimal'
  resource?: string
  claims?: object
  scope?: string
}

/** Signs a new user in to a new application and returns the claims in the ID tokens and in userinfo. */
async function claimsFor({ idTokenClaims, resource, claims, scope = 'openid profile' }: ClaimRequest) {
  const redirectUri = 'https://shop.example/back'
  const created = await operator.send('POST', '/applications', {
    name: 'Shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: [] },
    customClientMetadata: { ...(idTokenClaims && { idTokenClaims }) },
  })
  const { id: clientId } = (await created.json()) as { id: string }
  const client = newCookieClient(app)
  const request = await authorizationRequest({
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: `${scope} offline_access`,
    prompt: 'login consent',
    ...(resource && { resource }),
    ...(claims && { claims: JSON.stringify(claims) }),
  })
  const uid = await openSignInPage(client, request)
  const signedIn = await resumeAuthorization(client, await registerAccount(client, uid, freshName()))
  const consent = { Interaction: signedIn.searchParams.get('interaction') ?? '' }
  const consented = await client.send('POST', '/api/interaction/consent', undefined, consent)
  const back = await resumeAuthorization(client, consented)

  const call = async (form: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: clientId, ...(resource && { resource }), ...form })
    const answer = await app.fetch('/oidc/token', { method: 'POST', body })
    expect(answer.status).toBe(200)
    return (await answer.json()) as { id_token: string; access_token: string; refresh_token: string }
  }
  const tokens = await call({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    code_verifier: request.verifier,
    redirect_uri: redirectUri,
  })
  const refreshed = await call({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
  const userinfo = await app.fetch('/oidc/me', {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  return {
    idTokens: [tokens, refreshed].map(({ id_token }) => namesIn(decodeJwt(id_token))),
    userinfo: namesIn((await userinfo.json()) as object),
  }
}

const namesIn = (claims: object) =>
  Object.keys(claims).filter((name) => ['username', 'preferred_username', 'updated_at', 'acr'].includes(name))

const scopeClaims = expect.arrayContaining(['username', 'preferred_username', 'updated_at'])

describe('a scope’s claims', () => {
  it.each([undefined, 'all'] as const)(
    'are in ID tokens and userinfo if idTokenClaims is %s',
    async (idTokenClaims) => {
      const { idTokens, userinfo } = await claimsFor({ ...(idTokenClaims && { idTokenClaims }) })
      expect(idTokens).toEqual([scopeClaims, scopeClaims])
      expect(userinfo).toEqual(scopeClaims)
    },
  )

  it('are only in userinfo if idTokenClaims is minimal, even after a token refresh', async () => {
    const { idTokens, userinfo } = await claimsFor({ idTokenClaims: 'minimal' })
    expect(idTokens).toEqual([['acr'], ['acr']])
    expect(userinfo).toEqual(scopeClaims)
  })

  // "User-data scopes: profile (claims name, picture, username)" (docs/spec/provider.md, #scopes-and-claims)
  it('do not include username without the scope profile, even if the claims parameter requests it', async () => {
    const claims = { userinfo: { username: null }, id_token: { username: null } }
    const { idTokens, userinfo } = await claimsFor({ scope: 'openid email', claims })
    expect(idTokens).toEqual([['acr'], ['acr']])
    expect(userinfo).toEqual([])
  })

  it('are in a minimal ID token if the claims parameter requests them', async () => {
    const claims = { id_token: { preferred_username: null } }
    const { idTokens } = await claimsFor({ idTokenClaims: 'minimal', claims })
    expect(idTokens.map((names) => names.toSorted())).toEqual([
      ['acr', 'preferred_username'],
      ['acr', 'preferred_username'],
    ])
  })

  it('are in the ID token if the access token cannot be used for userinfo', async () => {
    const { idTokens, userinfo } = await claimsFor({ idTokenClaims: 'minimal', resource: indicator })
    expect(idTokens).toEqual([scopeClaims, scopeClaims])
    expect(userinfo).toEqual([])
  })
})
