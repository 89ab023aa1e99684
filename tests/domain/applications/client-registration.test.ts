import { describe, expect, it } from 'vitest'
import { oidcScopes } from '../../../src/contract/applications/unregistered-clients.ts'
import {
  isRegistrationError,
  parseRegistration,
} from '../../../src/domain/applications/client-registration.ts'
import { ed25519Key, p256Key, rsaKey } from './keys.ts'

const BACK = 'https://agent.example/back'
const metadata = { client_name: 'Agent', redirect_uris: [BACK] }
const byKeys = { token_endpoint_auth_method: 'private_key_jwt' }
const native = { application_type: 'native', token_endpoint_auth_method: 'none' }
const addresses = (count: number) => Array.from({ length: count }, (_, index) => `${BACK}/${index}`)
const addressOfLength = (length: number) => BACK.padEnd(length, 'x')

const register = (more: object, scopes: readonly string[] = ['openid', 'profile', 'offline_access']) =>
  parseRegistration({ ...metadata, ...more }, { scopes, environment: 'production' })

const registered = {
  name: 'Agent',
  type: 'Traditional',
  oidcClientMetadata: { redirectUris: [BACK], postLogoutRedirectUris: [] },
  customClientMetadata: {
    isThirdParty: true,
    dynamicRegistration: { authMethod: 'client_secret_basic', scopes: ['openid', 'profile'] },
  },
}

describe('client registration', () => {
  it.each<{ what: string; input: object; expected: object }>([
    { what: 'the name and redirect URIs of a web application', input: {}, expected: registered },
    {
      what: 'no field that is not listed',
      input: {
        isThirdParty: false,
        client_uri: 'https://agent.example/',
        allowedBuiltInResources: ['a'],
      },
      expected: registered,
    },
    {
      what: 'no field that is null',
      input: {
        software_statement: null,
        scope: null,
        grant_types: null,
        response_types: null,
        jwks: null,
        application_type: null,
        post_logout_redirect_uris: null,
        id_token_signed_response_alg: null,
        token_endpoint_auth_method: null,
        dpop_bound_access_tokens: null,
      },
      expected: registered,
    },
    {
      what: 'a public client as an SPA',
      input: { token_endpoint_auth_method: 'none' },
      expected: { type: 'SPA' },
    },
    {
      what: 'an app with a custom scheme',
      input: { ...native, redirect_uris: ['com.example.agent:/back'] },
      expected: {
        type: 'Native',
        oidcClientMetadata: { redirectUris: ['com.example.agent:/back'], postLogoutRedirectUris: [] },
      },
    },
    {
      what: 'redirect URIs for sign-outs',
      input: { post_logout_redirect_uris: [`${BACK}/out`] },
      expected: { oidcClientMetadata: { redirectUris: [BACK], postLogoutRedirectUris: [`${BACK}/out`] } },
    },
    {
      what: 'ten redirect URIs',
      input: { redirect_uris: addresses(10) },
      expected: { oidcClientMetadata: { redirectUris: addresses(10) } },
    },
    {
      what: 'a redirect URI of 2048 characters',
      input: { redirect_uris: [addressOfLength(2048)] },
      expected: { oidcClientMetadata: { redirectUris: [addressOfLength(2048)] } },
    },
    {
      what: 'a secret in the body of the request',
      input: { token_endpoint_auth_method: 'client_secret_post' },
      expected: { customClientMetadata: { dynamicRegistration: { authMethod: 'client_secret_post' } } },
    },
    {
      what: 'a signing algorithm for ID tokens',
      input: { id_token_signed_response_alg: 'ES256' },
      expected: { customClientMetadata: { idTokenSignedResponseAlg: 'ES256' } },
    },
    {
      what: 'DPoP-bound access tokens',
      input: { dpop_bound_access_tokens: true },
      expected: { customClientMetadata: { dpopBoundAccessTokens: true } },
    },
    {
      what: 'the URL of keys',
      input: { ...byKeys, jwks_uri: 'https://agent.example/keys' },
      expected: { customClientMetadata: { jwksUri: 'https://agent.example/keys' } },
    },
    {
      what: 'a URL of keys with 2048 characters',
      input: { ...byKeys, jwks_uri: addressOfLength(2048) },
      expected: { customClientMetadata: { jwksUri: addressOfLength(2048) } },
    },
  ])('accepts $what', ({ input, expected }) => {
    expect(register(input)).toMatchObject(expected)
  })

  it('stores only the settings that the client may choose', () => {
    expect(register({ isThirdParty: false, fapi2: true, dpop_bound_access_tokens: false })).toEqual(
      registered,
    )
    // Keys are for clients that authenticate with them.
    expect(register({ jwks: { keys: [ed25519Key] } })).toEqual(registered)
  })

  it('stores the public parts of keys', () => {
    const keys = [
      { ...ed25519Key, kid: 'a', use: 'sig', alg: 'Ed25519', key_ops: ['verify'] },
      { ...p256Key, kid: 'b' },
      rsaKey,
    ]
    const sent = keys.map((key) => ({ ...key, x5c: ['certificate'], ext: true }))
    expect(register({ ...byKeys, jwks: { keys: sent, more: 1 } })).toEqual({
      ...registered,
      customClientMetadata: {
        isThirdParty: true,
        dynamicRegistration: { authMethod: 'private_key_jwt', scopes: ['openid', 'profile'] },
        jwks: { keys },
      },
    })
  })

  const refreshing = { grant_types: ['authorization_code', 'refresh_token'] }
  it.each<{ input: object; ceiling: readonly string[]; scopes: string[] }>([
    { input: {}, ceiling: oidcScopes, scopes: oidcScopes.filter((scope) => scope !== 'offline_access') },
    { input: refreshing, ceiling: oidcScopes, scopes: [...oidcScopes] },
    { input: refreshing, ceiling: ['openid', 'email'], scopes: ['openid', 'email'] },
    { input: { scope: 'email' }, ceiling: oidcScopes, scopes: ['openid', 'email'] },
    { input: { scope: 'email' }, ceiling: ['openid'], scopes: ['openid'] },
    { input: { scope: 'email read' }, ceiling: ['email', 'read'], scopes: ['email'] },
    { input: { scope: 'offline_access' }, ceiling: oidcScopes, scopes: ['openid'] },
    { input: { scope: '' }, ceiling: oidcScopes, scopes: ['openid'] },
    {
      input: { ...refreshing, scope: 'offline_access' },
      ceiling: oidcScopes,
      scopes: ['openid', 'offline_access'],
    },
  ])('grants $input the scopes $scopes out of $ceiling', ({ input, ceiling, scopes }) => {
    expect(register(input, ceiling)).toMatchObject({
      customClientMetadata: { dynamicRegistration: { scopes } },
    })
  })

  const INVALID = 'invalid_client_metadata'
  const REDIRECT = 'invalid_redirect_uri'
  const redirects = (...uris: unknown[]) => ({ redirect_uris: uris })
  const out = (...uris: unknown[]) => ({ post_logout_redirect_uris: uris })
  it.each<{ what: string; input: object; error: string; field: string }>([
    ...[
      { what: 'metadata without redirect_uris', input: { redirect_uris: undefined } },
      { what: 'a single redirect URI instead of a list', input: { redirect_uris: BACK } },
      { what: 'an empty list of redirect URIs', input: redirects() },
      { what: 'a redirect URI that is a number', input: redirects(BACK, 7) },
      { what: 'a redirect URI with half a character', input: redirects(`${BACK}?\ud800`) },
      { what: 'too many redirect URIs', input: redirects(...addresses(11)) },
      { what: 'a redirect URI that is too long', input: redirects(addressOfLength(2049)) },
    ].map((row) => ({ ...row, error: REDIRECT, field: 'redirect_uris' })),
    ...[
      { what: 'a redirect URI with a fragment', input: redirects(`${BACK}#x`) },
      { what: 'a javascript: redirect URI', input: redirects('javascript:alert(1)') },
      { what: 'a data: redirect URI', input: redirects('data:text/html,x') },
      { what: 'a redirect URI with a space', input: redirects(`${BACK} `) },
      { what: 'a custom scheme for a web client', input: redirects('com.agent:/back') },
      { what: 'plain http for a web client', input: redirects('http://agent.example/') },
      { what: 'plain http for a native client', input: { ...redirects('http://agent.example/'), ...native } },
    ].map((row) => ({ ...row, error: REDIRECT, field: 'redirect_uris/0' })),
    ...[
      { what: 'the redirect after a sign-out to plain http', input: out('http://agent.example/') },
      { what: 'a redirect after a sign-out that is too long', input: out(addressOfLength(2049)) },
      { what: 'too many redirects after a sign-out', input: out(...addresses(11)) },
    ].map((row) => ({ ...row, error: INVALID, field: 'post_logout_redirect_uris' })),
    ...[
      { what: 'metadata without a name', input: { client_name: undefined } },
      { what: 'a name that is a list', input: { client_name: ['Agent'] } },
      { what: 'a name with a direction override', input: { client_name: 'Agent\u202egnp' } },
      { what: 'a name with a control character', input: { client_name: 'Agent\u0007' } },
      { what: 'a name that mixes two scripts', input: { client_name: 'P\u0430ypal' } },
      { what: 'a name that is too long', input: { client_name: 'x'.repeat(65) } },
    ].map((row) => ({ ...row, error: INVALID, field: 'client_name' })),
    ...[
      { what: 'the client credentials grant', input: { grant_types: ['client_credentials'] } },
      { what: 'the implicit grant', input: { grant_types: ['authorization_code', 'implicit'] } },
      { what: 'the refresh token grant by itself', input: { grant_types: ['refresh_token'] } },
      { what: 'no grant', input: { grant_types: [] } },
      { what: 'a grant instead of a list', input: { grant_types: 'authorization_code' } },
    ].map((row) => ({ ...row, error: INVALID, field: 'grant_types' })),
    ...[
      { what: 'a response type with tokens', input: { response_types: ['code', 'id_token'] } },
      { what: 'no response type', input: { response_types: [] } },
      { what: 'a response type instead of a list', input: { response_types: 'code' } },
    ].map((row) => ({ ...row, error: INVALID, field: 'response_types' })),
    ...[
      {
        what: 'an unsupported authentication method',
        input: { token_endpoint_auth_method: 'client_secret_jwt' },
      },
      { what: 'a native client with a secret', input: { application_type: 'native' } },
    ].map((row) => ({ ...row, error: INVALID, field: 'token_endpoint_auth_method' })),
    ...[
      { what: 'key authentication without keys', input: byKeys },
      {
        what: 'both keys and a key URL',
        input: { ...byKeys, jwks: { keys: [ed25519Key] }, jwks_uri: 'https://a.example/k' },
      },
      { what: 'a shared key', input: { ...byKeys, jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } } },
      { what: 'a private key', input: { ...byKeys, jwks: { keys: [{ ...ed25519Key, d: 'x' }] } } },
      { what: 'no key', input: { ...byKeys, jwks: { keys: [] } } },
      { what: 'a key instead of a set', input: { ...byKeys, jwks: ed25519Key } },
      { what: 'keys as text', input: { ...byKeys, jwks: 'keys' } },
    ].map((row) => ({ ...row, error: INVALID, field: 'jwks' })),
    ...[
      { what: 'a key URL in a private network', input: { ...byKeys, jwks_uri: 'https://10.0.0.1/keys' } },
      { what: 'a key URL without TLS', input: { ...byKeys, jwks_uri: 'http://a.example/keys' } },
      { what: 'a key URL that is too long', input: { ...byKeys, jwks_uri: addressOfLength(2049) } },
      { what: 'a key URL that is a list', input: { ...byKeys, jwks_uri: ['https://a.example/keys'] } },
    ].map((row) => ({ ...row, error: INVALID, field: 'jwks_uri' })),
    {
      what: 'an unknown application type',
      input: { application_type: 'tv' },
      error: INVALID,
      field: 'application_type',
    },
    { what: 'a list of scopes', input: { scope: ['openid'] }, error: INVALID, field: 'scope' },
    {
      what: 'a text as a switch',
      input: { dpop_bound_access_tokens: 'true' },
      error: INVALID,
      field: 'dpop_bound_access_tokens',
    },
    {
      what: 'ID tokens without a signature',
      input: { id_token_signed_response_alg: 'none' },
      error: INVALID,
      field: 'id_token_signed_response_alg',
    },
    {
      what: 'a software statement',
      input: { software_statement: 'a.b.c' },
      error: 'unapproved_software_statement',
      field: 'software statement',
    },
  ])('[RFC9700-2.6-4] rejects $what with an error that names the field', ({ input, error, field }) => {
    expect(register(input)).toEqual({ error, description: expect.stringMatching(new RegExp(`\\b${field}`)) })
  })

  it.each([null, 'Agent', 7])('rejects %j, which is not an object', (body) => {
    const problem = parseRegistration(body, { scopes: [], environment: 'production' })
    expect(problem).toEqual({ error: INVALID, description: expect.stringContaining('JSON') })
  })

  it('allows keys on the same machine only in development', () => {
    const body = { ...metadata, ...byKeys, jwks_uri: 'http://localhost:3000/keys' }
    const isRejected = (environment: 'production' | 'development') =>
      isRegistrationError(parseRegistration(body, { scopes: [], environment }))
    expect([isRejected('production'), isRejected('development')]).toEqual([true, false])
  })
})
