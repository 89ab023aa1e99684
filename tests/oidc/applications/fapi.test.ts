import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { authorizationRequest, type CookieClient, ORIGIN } from '../../kit/clients/cookie-client.ts'
import { assertionOf, newSigningKey, type SigningKey } from '../../kit/clients/key-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { BACK, giveRoles, newApi, newApplication } from '../../kit/clients/token-client.ts'
import { type DpopKey, newDpopKey } from '../../kit/dpop-key.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the FAPI 2.0 Security Profile clause by clause, for an application that enables it (spec/provider#fapi). */

const ISSUER = `${ORIGIN}/oidc`
const API = 'https://bank.example'

let app: TestApp
let operator: Operator
let browser: CookieClient
let key: SigningKey
let dpop: DpopKey
let bank: { id: string; secret: string }

beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  key = await newSigningKey('ES256')
  dpop = await newDpopKey()
  const { roleId } = await newApi(operator, API, ['pay'])
  const visitor = await storeVisitor(app)
  browser = visitor.client
  await giveRoles(operator, visitor.username, [roleId])
  bank = await newApplication(operator, { customClientMetadata: { fapi2: true, jwks: { keys: [key.jwk] } } })
})

type Answer = {
  status: number
  error?: string
  request_uri?: string
  expires_in?: number
  access_token?: string
  refresh_token?: string
  id_token?: string
  token_type?: string
}
type Form = Record<string, string | undefined>

async function post(path: string, form: Form, headers: Record<string, string> = {}): Promise<Answer> {
  const fields = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const body = new URLSearchParams(fields)
  const response = await app.fetch(path, { method: 'POST', headers, body })
  return { ...((await response.json()) as Answer), status: response.status }
}

const assertion = (by = key, aud: string | string[] = ISSUER) => assertionOf(by, bank.id, { aud })

/** Returns the form for the pushed authorization request endpoint, and the code verifier for the token endpoint. */
async function requestOf(changes: Form = {}) {
  const request = await authorizationRequest({ client_id: bank.id, redirect_uri: BACK, scope: 'openid' })
  const form: Form = { ...Object.fromEntries(new URL(request.url, ORIGIN).searchParams), ...changes }
  return { form, verifier: request.verifier }
}

async function push(changes: Form = {}, proof: Form | undefined = undefined) {
  const { form, verifier } = await requestOf(changes)
  const answer = await post('/oidc/request', { ...form, ...(proof ?? (await assertion())) })
  return { answer, verifier }
}

async function follow(changes: Form = {}) {
  const { answer, verifier } = await push(changes)
  const query = new URLSearchParams({ client_id: bank.id, request_uri: answer.request_uri ?? '' })
  let response = await browser.get(`/oidc/auth?${query}`)
  let back = new URL(response.headers.get('location') ?? '', ORIGIN)
  if (back.pathname === '/sign-in/consent') {
    const headers = { Interaction: back.searchParams.get('interaction') ?? '' }
    const consented = await browser.send('POST', '/api/interaction/consent', undefined, headers)
    response = await browser.get(((await consented.json()) as { redirectTo: string }).redirectTo)
    back = new URL(response.headers.get('location') ?? '', ORIGIN)
  }
  return { response, back, form: redemption(back, verifier) }
}

const redemption = (back: URL, verifier: string): Form => ({
  grant_type: 'authorization_code',
  code: back.searchParams.get('code') ?? '',
  code_verifier: verifier,
  redirect_uri: BACK,
})

const token = async (form: Form, { by = dpop, proof }: { by?: DpopKey | null; proof?: Form } = {}) =>
  post(
    '/oidc/token',
    { ...form, ...(proof ?? (await assertion())) },
    by ? { dpop: await by.prove('POST', '/oidc/token') } : {},
  )

const OFFLINE = { scope: 'openid offline_access pay', prompt: 'consent', resource: API }
const errorOf = ({ status, error }: Answer) => [status, error]

/** A function for each clause, which returns the actual and the expected behaviour. */
const clauses: Record<string, () => Promise<[unknown, unknown]>> = {
  'allows only confidential clients (FAPI 2.0 §5.3.2.1)': async () => {
    const answers = ['SPA', 'Native'].map(async (type) => {
      const custom = { customClientMetadata: { fapi2: true } }
      const body = { name: 'Public', type, oidcClientMetadata: { redirectUris: [BACK] }, ...custom }
      return (await operator.send('POST', '/applications', body)).status
    })
    return [await Promise.all(answers), [400, 400]]
  },
  'authenticates clients with private_key_jwt, not with a secret (FAPI 2.0 §5.3.2.1)': async () => {
    const withoutKeys = await operator.send('POST', '/applications', {
      name: 'Secret',
      type: 'Traditional',
      oidcClientMetadata: { redirectUris: [BACK] },
      customClientMetadata: { fapi2: true },
    })
    const bySecret = await push({}, { client_secret: bank.secret })
    return [
      [withoutKeys.status, ...errorOf(bySecret.answer)],
      [400, 401, 'invalid_client'],
    ]
  },
  'issues only sender-constrained access tokens (FAPI 2.0 §5.3.2.1)': async () => {
    const { form } = await follow()
    const bare = await token(form, { by: null })
    const bound = await token(form)
    return [
      [...errorOf(bare), bound.status, bound.token_type],
      [400, 'invalid_grant', 200, 'DPoP'],
    ]
  },
  'requires the issuer as the only audience of an assertion (FAPI 2.0 §5.3.2.1)': async () => {
    const proofs = [await assertion(key, `${ISSUER}/request`), await assertion(key, [ISSUER])]
    const answers = await Promise.all(proofs.map(async (proof) => (await push({}, proof)).answer.status))
    return [answers, [401, 401]]
  },
  'does not rotate refresh tokens (FAPI 2.0 §5.3.2.1)': async () => {
    const { form } = await follow(OFFLINE)
    const first = await token({ ...form, resource: API })
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token, resource: API }
    const second = await token(refresh)
    await app.env.DB.prepare(
      `update oidc_model_instances set payload = json_set(payload,
         '$.iat', json_extract(payload, '$.iat') - 1100000, '$.exp', json_extract(payload, '$.exp') - 1100000)
       where model_name = 'RefreshToken' and json_extract(payload, '$.clientId') = ?`,
    )
      .bind(bank.id)
      .run()
    const third = await token(refresh)
    return [
      [second.refresh_token, third.refresh_token, third.status],
      [first.refresh_token, first.refresh_token, 200],
    ]
  },
  'issues codes that expire after 60 seconds (FAPI 2.0 §5.3.2.1)': async () => {
    await follow()
    const row = await app.env.DB.prepare(
      `select max(json_extract(payload, '$.exp') - json_extract(payload, '$.iat')) as life from oidc_model_instances
       where model_name = 'AuthorizationCode'`,
    ).first<{ life: number }>()
    return [row?.life, 60]
  },
  'can bind a code to a key with dpop_jkt (FAPI 2.0 §5.3.2.1)': async () => {
    const { form } = await follow({ dpop_jkt: 'A'.repeat(43) })
    return [errorOf(await token(form)), [400, 'invalid_grant']]
  },
  'accepts a JWT from a clock 10 seconds ahead but not 90 (FAPI 2.0 §5.3.2.1)': async () => {
    const assertionAt = async (seconds: number) => {
      const at = Math.floor(Date.now() / 1000) + seconds
      const jwt = new SignJWT({ iss: bank.id, sub: bank.id, aud: ISSUER, jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: key.kid })
        .setIssuedAt(at)
        .setExpirationTime(at + 60)
      const { client_assertion_type: type } = await assertion()
      return { client_assertion: await jwt.sign(key.privateKey), client_assertion_type: type }
    }
    const answers = [10, 90].map(
      async (seconds) => (await push({}, await assertionAt(seconds))).answer.status,
    )
    const { form } = await follow()
    const ahead = await post(
      '/oidc/token',
      { ...form, ...(await assertion()) },
      { dpop: await proofAhead(90) },
    )
    return [
      [...(await Promise.all(answers)), ...errorOf(ahead)],
      [201, 401, 400, 'invalid_dpop_proof'],
    ]
  },
  'allows only the response type code (FAPI 2.0 §5.3.2.2)': async () => {
    const { answer } = await push({ response_type: 'none' })
    return [errorOf(answer), [400, 'invalid_request']]
  },
  'rejects a request that was not pushed (FAPI 2.0 §5.3.2.2)': async () => {
    const { form } = await requestOf()
    const query = new URLSearchParams(form as Record<string, string>)
    const response = await browser.get(`/oidc/auth?${query}`)
    const back = new URL(response.headers.get('location') ?? '', ORIGIN)
    return [
      [back.searchParams.get('error'), back.searchParams.get('code')],
      ['invalid_request', null],
    ]
  },
  'rejects a pushed request without client authentication (FAPI 2.0 §5.3.2.2)': async () => {
    return [errorOf((await push({}, {})).answer), [401, 'invalid_client']]
  },
  'requires PKCE with S256 (FAPI 2.0 §5.3.2.2)': async () => {
    const none = await push({ code_challenge: undefined, code_challenge_method: undefined })
    const plain = await push({ code_challenge_method: 'plain' })
    const answers = [errorOf(none.answer), errorOf(plain.answer)]
    return [answers, [400, 400].map((status) => [status, 'invalid_request'])]
  },
  'requires an exactly matching redirect_uri in the pushed request (FAPI 2.0 §5.3.2.2)': async () => {
    const redirectUris = [undefined, `${BACK}/`, `${BACK}?x`]
    const answers = redirectUris.map(async (uri) => (await push({ redirect_uri: uri })).answer.status)
    return [await Promise.all(answers), [400, 400, 400]]
  },
  'returns iss in the authorization response (FAPI 2.0 §5.3.2.2, RFC 9207)': async () => {
    const { back } = await follow()
    return [back.searchParams.get('iss'), ISSUER]
  },
  'rejects an http redirect URI (FAPI 2.0 §5.3.2.2)': async () => {
    const body = { oidcClientMetadata: { redirectUris: ['http://app.example/back'] } }
    return [(await operator.send('PATCH', `/applications/${bank.id}`, body)).status, 400]
  },
  'accepts a code once (FAPI 2.0 §5.3.2.2)': async () => {
    const { form } = await follow()
    const answers = [await token(form), await token(form)]
    return [answers.map(({ status }) => status), [200, 400]]
  },
  'redirects with status 303 (FAPI 2.0 §5.3.2.2)': async () => [(await follow()).response.status, 303],
  'issues a request_uri that expires in less than 600 seconds (FAPI 2.0 §5.3.2.2)': async () => {
    const { answer } = await push()
    return [(answer.expires_in ?? 600) < 600, true]
  },
  'supports a nonce of 64 characters (FAPI 2.0 §5.3.2.2)': async () => {
    const nonce = 'n'.repeat(64)
    const { form } = await follow({ nonce })
    return [decodeJwt((await token(form)).id_token ?? '').nonce, nonce]
  },
  'accepts assertions signed with ES256, PS256 or Ed25519 only (FAPI 2.0 §5.4.1)': async () => {
    const algorithms = ['ES256', 'PS256', 'Ed25519', 'ES384', 'RS256']
    const keys = await Promise.all(algorithms.map((alg) => newSigningKey(alg)))
    const jwks = { keys: [key.jwk, ...keys.map(({ jwk }) => jwk)] }
    const robot = await newApplication(operator, {
      type: 'MachineToMachine',
      oidcClientMetadata: {},
      customClientMetadata: { fapi2: true, jwks },
    })
    const ask = async (by: SigningKey) => {
      const proof = await assertionOf(by, robot.id, { aud: ISSUER })
      const form = { grant_type: 'client_credentials', resource: API }
      return (await token(form, { proof })).status
    }
    return [await Promise.all(keys.map(ask)), [200, 200, 200, 401, 401]]
  },
  'returns the claims of scopes at userinfo only (OIDC Core §5.4)': async () => {
    const { form } = await follow({ scope: 'openid profile', prompt: 'consent' })
    const { id_token: idToken, access_token: accessToken = '' } = await token(form)
    const proof = await dpop.prove('GET', '/oidc/me', accessToken)
    const headers = { authorization: `DPoP ${accessToken}`, dpop: proof }
    const userinfo = (await (await app.fetch('/oidc/me', { headers })).json()) as object
    const has = (claims: object) => 'preferred_username' in claims
    return [
      [has(decodeJwt(idToken ?? '')), has(userinfo)],
      [false, true],
    ]
  },
  'signs tokens with ES256 and a published key (FAPI 2.0 §5.4.1)': async () => {
    const { form } = await follow({ scope: 'openid pay', resource: API })
    const tokens = await token({ ...form, resource: API })
    const headers = [tokens.id_token, tokens.access_token].map((jwt) => decodeProtectedHeader(jwt ?? ''))
    const { keys } = (await (await app.fetch('/oidc/jwks')).json()) as {
      keys: { kid: string; alg: string }[]
    }
    const published = headers.map(({ kid }) => keys.find((each) => each.kid === kid)?.alg)
    return [
      [...headers.map(({ alg }) => alg), ...published],
      ['ES256', 'ES256', 'ES256', 'ES256'],
    ]
  },
}

/** Returns a DPoP proof from a client whose clock is this many seconds fast. */
async function proofAhead(seconds: number): Promise<string> {
  const { privateKey, jwk } = await newSigningKey('ES256')
  const { kid: _kid, ...own } = jwk
  return new SignJWT({ htm: 'POST', htu: `${ISSUER}/token`, jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: own })
    .setIssuedAt(Math.floor(Date.now() / 1000) + seconds)
    .sign(privateKey)
}

describe('an application’s FAPI 2.0 profile', () => {
  it.each(Object.keys(clauses))('%s', async (clause) => {
    const [actual, expected] = (await clauses[clause]?.()) ?? []
    expect(actual).toEqual(expected)
  })

  it('cannot be enabled with settings that contradict it', async () => {
    const other = await newApplication(operator, { customClientMetadata: { jwks: { keys: [key.jwk] } } })
    const change = async (custom: object) =>
      (await operator.send('PATCH', `/applications/${other.id}`, { customClientMetadata: custom })).status
    for (const wrong of [
      { deviceFlow: true },
      { dpopBoundAccessTokens: false },
      { idTokenSignedResponseAlg: 'RS256' },
      { jwks: null },
    ]) {
      expect([wrong, await change({ fapi2: true, ...wrong })]).toEqual([wrong, 400])
    }
    expect(
      await change({ fapi2: true, idTokenSignedResponseAlg: 'ES256', dpopBoundAccessTokens: true }),
    ).toBe(200)
    expect(await change({ jwks: null })).toBe(400)
  })

  it('works with the openid-client library, from discovery to a token refresh', async () => {
    const pair = await openid.randomDPoPKeyPair('ES256')
    const configuration = await openid.discovery(
      new URL(ISSUER),
      bank.id,
      undefined,
      openid.PrivateKeyJwt({ key: key.privateKey, kid: key.kid }),
      {
        execute: [openid.allowInsecureRequests],
        [openid.customFetch]: (address, { body, ...init }) =>
          app.fetch(address, { ...init, body: body ?? null } as RequestInit),
      },
    )
    const DPoP = openid.getDPoPHandle(configuration, pair)
    const verifier = openid.randomPKCECodeVerifier()
    const [state, nonce] = [openid.randomState(), openid.randomNonce()]
    const request = {
      redirect_uri: BACK,
      scope: 'openid profile offline_access',
      prompt: 'consent',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }
    const url = await openid.buildAuthorizationUrlWithPAR(configuration, request, { DPoP })
    const page = await browser.get(url.pathname + url.search)
    const uid = new URL(page.headers.get('location') ?? '', ORIGIN).searchParams.get('interaction') ?? ''
    const consented = await browser.send('POST', '/api/interaction/consent', undefined, { Interaction: uid })
    const { redirectTo } = (await consented.json()) as { redirectTo: string }
    const back = new URL((await browser.get(redirectTo)).headers.get('location') ?? '')

    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
    const tokens = await openid.authorizationCodeGrant(configuration, back, checks, undefined, { DPoP })
    const subject = tokens.claims()?.sub ?? ''
    const user = await openid.fetchUserInfo(configuration, tokens.access_token, subject, { DPoP })
    expect(user).toMatchObject({ sub: subject, username: expect.any(String) })
    const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '', undefined, {
      DPoP,
    })
    expect(refreshed).toMatchObject({ token_type: 'dpop', refresh_token: tokens.refresh_token })
  })
})
