import { exportJWK, generateKeyPair } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import {
  type CookieClient,
  freshName,
  newCookieClient,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import type { NewApplication } from '../management.ts'
import { openTenant } from '../tenant.ts'

const { origin, call } = await openTenant()
const issuer = new URL(`${origin}/oidc`)
const redirectUri = 'https://application.example.test/callback'
const afterLogout = 'https://application.example.test/bye'
const server = {
  fetch: (path: string, init?: RequestInit) => fetch(new URL(path, origin), { redirect: 'manual', ...init }),
}

let web: NewApplication
let spa: NewApplication
beforeAll(async () => {
  const oidcClientMetadata = { redirectUris: [redirectUri], postLogoutRedirectUris: [afterLogout] }
  web = await call('POST', '/applications', { name: 'Web', type: 'Traditional', oidcClientMetadata })
  spa = await call('POST', '/applications', { name: 'SPA', type: 'SPA', oidcClientMetadata })
})

/**
 * Registers a user at the provider and consents. Returns the redirect URL with the authorization response.
 */
async function passThrough(browser: CookieClient, url: URL): Promise<URL> {
  const uid = await openSignInPage(browser, {
    url: url.pathname + url.search,
    verifier: '',
    state: '',
    nonce: '',
    redirectUri,
  })
  const next = await resumeAuthorization(browser, await registerAccount(browser, uid, freshName()))
  if (!next.pathname.startsWith('/sign-in/consent')) return next
  const consent = { Interaction: next.searchParams.get('interaction') ?? '' }
  return resumeAuthorization(
    browser,
    await browser.send('POST', '/api/interaction/consent', undefined, consent),
  )
}

describe('openid-client, as a confidential application', () => {
  it('completes the code flow with PKCE, refresh, userinfo, introspection, revocation and logout', async () => {
    const config = await client.discovery(issuer, web.id, web.secret, client.ClientSecretBasic(web.secret))
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const nonce = client.randomNonce()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile email offline_access',
      prompt: 'consent',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    const browser = newCookieClient(server)
    const tokens = await client.authorizationCodeGrant(config, await passThrough(browser, url), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
    })
    const subject = tokens.claims()?.sub ?? ''
    expect(subject).toMatch(/^[\dA-Za-z]{12}$/)

    const user = await client.fetchUserInfo(config, tokens.access_token, subject)
    expect(user).toMatchObject({ sub: subject, username: expect.any(String) })
    expect(user).not.toHaveProperty('email')

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(refreshed.claims()?.sub).toBe(subject)

    const before = await client.tokenIntrospection(config, refreshed.access_token)
    expect(before).toMatchObject({ active: true, sub: subject, client_id: web.id })
    await client.tokenRevocation(config, refreshed.refresh_token ?? tokens.refresh_token ?? '')
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false })

    const logout = client.buildEndSessionUrl(config, {
      id_token_hint: refreshed.id_token ?? '',
      post_logout_redirect_uri: afterLogout,
      state,
    })
    const page = await (await browser.get(logout.pathname + logout.search, { accept: 'text/html' })).text()
    const xsrf = /name="xsrf"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? ''
    const confirmed = await browser.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
    expect(confirmed.headers.get('location')).toBe(`${afterLogout}?state=${state}`)
  })

  it('pushes its authorization request (RFC 9126)', async () => {
    const config = await client.discovery(issuer, web.id, web.secret, client.ClientSecretPost(web.secret))
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const url = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: redirectUri,
      scope: 'openid',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    })
    const tokens = await client.authorizationCodeGrant(
      config,
      await passThrough(newCookieClient(server), url),
      {
        pkceCodeVerifier: verifier,
        expectedState: state,
      },
    )
    expect(tokens.claims()?.iss).toBe(issuer.href)
    // A pushed request is valid for only one authorization.
    const again = await newCookieClient(server).get(url.pathname + url.search)
    expect(new URL(again.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request_uri')
  })

  it('authenticates at each endpoint with a private key and no longer with its secret (RFC 7523)', async () => {
    const keys = await generateKeyPair('ES256', { extractable: true })
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'first', use: 'sig' }
    const app = await call<NewApplication>('POST', '/applications', {
      name: 'Keys',
      type: 'Traditional',
      oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: [] },
      customClientMetadata: { deviceFlow: true, jwks: { keys: [jwk] } },
    })
    const byKey = client.PrivateKeyJwt({ key: keys.privateKey, kid: 'first' })
    const config = await client.discovery(issuer, app.id, undefined, byKey)
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const url = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: redirectUri,
      scope: 'openid',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    })
    const answer = await passThrough(newCookieClient(server), url)
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const tokens = await client.authorizationCodeGrant(config, answer, checks)
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true })
    await client.tokenRevocation(config, tokens.access_token)
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid' })
    expect(device.user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)

    const bySecret = await client.discovery(issuer, app.id, app.secret)
    await expect(client.tokenIntrospection(bySecret, 'none')).rejects.toMatchObject({
      error: 'invalid_client',
    })
  })

  it('gets its own token for the management API (client credentials)', async () => {
    const config = await client.discovery(issuer, 'management', inject('managementSecret'))
    const resource = 'urn:vestibule:management-api'
    const tokens = await client.clientCredentialsGrant(config, { resource, scope: 'all' })
    expect(tokens).toMatchObject({ scope: 'all', token_type: 'bearer', expires_in: 3600 })
    await expect(client.clientCredentialsGrant(config, {})).rejects.toMatchObject({ error: 'invalid_target' })
  })
})

describe('oauth4webapi, as a public application', () => {
  it('[RFC9700-2.2.1] completes the code flow with PKCE and DPoP, and refreshes the tokens', async () => {
    const discovered = await oauth.discoveryRequest(issuer)
    const as = await oauth.processDiscoveryResponse(issuer, discovered)
    const own: oauth.Client = { client_id: spa.id }
    const DPoP = oauth.DPoP(own, await oauth.generateKeyPair('ES256'))
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(as.authorization_endpoint ?? '')
    url.search = new URLSearchParams({
      client_id: spa.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid offline_access',
      prompt: 'consent',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    }).toString()

    const callback = await passThrough(newCookieClient(server), url)
    const parameters = oauth.validateAuthResponse(as, own, callback, state)
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      own,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      { DPoP },
    )
    const tokens = await oauth.processAuthorizationCodeResponse(as, own, response)
    await oauth.validateApplicationLevelSignature(as, response)
    expect(tokens.token_type).toBe('dpop')

    const userinfo = await oauth.userInfoRequest(as, own, tokens.access_token, { DPoP })
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    await oauth.processUserInfoResponse(as, own, claims?.sub ?? '', userinfo)

    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      own,
      await oauth.refreshTokenGrantRequest(as, own, oauth.None(), tokens.refresh_token ?? '', {
        DPoP,
      }),
    )
    expect(refreshed.refresh_token).toBeTruthy()
  })

  it('[RFC9700-2.1.1-2] reads a discovery document that lists what the provider supports', async () => {
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer))
    expect(as).toMatchObject({
      issuer: issuer.href,
      response_types_supported: ['code', 'none'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256', 'ES384']),
      authorization_response_iss_parameter_supported: true,
      subject_types_supported: ['public'],
      pushed_authorization_request_endpoint: `${issuer.href}/request`,
      introspection_endpoint: `${issuer.href}/token/introspection`,
      revocation_endpoint: `${issuer.href}/token/revocation`,
      end_session_endpoint: `${issuer.href}/session/end`,
      userinfo_endpoint: `${issuer.href}/me`,
      jwks_uri: `${issuer.href}/jwks`,
      backchannel_logout_supported: true,
      dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']),
    })
    expect(as.scopes_supported).toEqual(
      expect.arrayContaining([
        'openid',
        'offline_access',
        'profile',
        'email',
        'phone',
        'custom_data',
        'identities',
      ]),
    )
    expect(as.grant_types_supported).not.toContain('implicit')
  })
})
