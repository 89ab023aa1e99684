import { createHash, createPublicKey, verify } from 'node:crypto'
import type { SocialFactoryId } from '../../../src/contract/social/social-connectors.ts'

/** A call to a stub. Each stub checks calls against the provider's documentation, without using the product's code. */
export type StubSocialCall = {
  method: string
  query: URLSearchParams
  headers: Record<string, string>
  body: string
}
/** An authorization, from the authorization request until the code is exchanged. */
export type Grant = { redirectUri: string; state: string; challenge: string | null; nonce: string | null }
export type StubAnswer = { status: number; body: unknown }
export type SocialKeys = { apple: string; alipay: string; alipayBare: string }

/**
 * The checks and responses of a provider. A check returns what is wrong with the call, or null if the call is
 * valid.
 */
type SocialStub = {
  /** The constant parameters of the authorization request. */
  authorization: Record<string, string>
  hasPkce?: boolean
  hasNonce?: boolean
  codeName?: string
  token(call: StubSocialCall, grant: Grant, keys: SocialKeys): string | null
  /** Returns the body of a token response that differs from the JSON of RFC 6749 §5.1. */
  granted?(token: string): unknown
  profile?(call: StubSocialCall, keys: SocialKeys): string | null
  /** Checks a request for the addresses of an account, which GitHub’s profile lacks. */
  emails?(call: StubSocialCall): string | null
  badCode: StubAnswer
  /** The response to wrong client credentials, if it differs from RFC 6749 §5.2. */
  badClient?: StubAnswer
  badToken?: StubAnswer
}

export const stubClient = { id: 'client-1', secret: 's3cret/+=&', teamId: 'TEAM123456', keyId: 'KEY1234567' }
export const STUB_TOKEN = 'access-token-1'
export const STUB_TENANT = '11111111-2222-3333-4444-555555555555'

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
const unauthorized = { status: 401, body: { message: 'no such token' } }

/** Describes the first parameter that differs from the expected ones, or returns null if all match. */
const mismatch = (sent: URLSearchParams | Record<string, unknown>, expected: Record<string, string>) => {
  const values = sent instanceof URLSearchParams ? Object.fromEntries(sent) : sent
  const wrong = Object.entries(expected).find(([name, value]) => values[name] !== value)
  return wrong ? `${wrong[0]} is ${values[wrong[0]]}, not ${wrong[1]}` : null
}

const form = ({ method, headers, body }: StubSocialCall) =>
  method === 'POST' && headers['content-type']?.split(';', 1)[0] === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(body)
    : new URLSearchParams()

const code = (grant: Grant) => ({ grant_type: 'authorization_code', redirect_uri: grant.redirectUri })
const posted = (call: StubSocialCall, grant: Grant) =>
  mismatch(form(call), { ...code(grant), client_id: stubClient.id, client_secret: stubClient.secret })
const basicAuth = (call: StubSocialCall, grant: Grant) => {
  const pair = [stubClient.id, stubClient.secret].map(encodeURIComponent).join(':')
  const expected = { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  return mismatch(call.headers, expected) ?? mismatch(form(call), code(grant))
}
const bearer =
  (method = 'GET', scheme = 'Bearer') =>
  (call: StubSocialCall) =>
    call.method === method
      ? mismatch(call.headers, { authorization: `${scheme} ${STUB_TOKEN}` })
      : call.method

const standard = { response_type: 'code', client_id: stubClient.id }
const plain = { token: posted, profile: bearer(), badCode: invalidGrant, badToken: unauthorized }

export const socialStubs: Record<SocialFactoryId, SocialStub> = {
  'google-universal': {
    ...plain,
    authorization: { ...standard, scope: 'openid profile email' },
    hasPkce: true,
    profile: bearer('POST'),
  },
  'apple-universal': {
    authorization: { ...standard, scope: 'name email', response_mode: 'form_post' },
    hasNonce: true,
    token: appleProblem,
    badCode: invalidGrant,
  },
  'microsoft-entra-universal': {
    authorization: { ...standard, scope: 'openid profile email', response_mode: 'query' },
    hasPkce: true,
    hasNonce: true,
    token: posted,
    badCode: invalidGrant,
  },
  'github-universal': {
    ...plain,
    authorization: { client_id: stubClient.id, scope: 'read:user user:email' },
    hasPkce: true,
    token: ({ method, headers, body }) =>
      method === 'POST' && headers['content-type'] === 'application/json'
        ? mismatch(JSON.parse(body), { client_id: stubClient.id, client_secret: stubClient.secret })
        : 'not JSON',
    granted: (token) => `access_token=${token}&scope=read%3Auser%2Cuser%3Aemail&token_type=bearer`,
    profile: githubProblem,
    emails: (call) => githubProblem(call) ?? mismatch(call.query, { per_page: '100' }),
    badClient: { status: 200, body: 'error=incorrect_client_credentials' },
    badCode: { status: 200, body: 'error=bad_verification_code&error_description=The+code+is+incorrect' },
  },
  'facebook-universal': {
    ...plain,
    authorization: { ...standard, scope: 'email,public_profile' },
    hasPkce: true,
    token: ({ method, query }, { redirectUri }) =>
      method === 'GET'
        ? mismatch(query, {
            client_id: stubClient.id,
            client_secret: stubClient.secret,
            redirect_uri: redirectUri,
          })
        : method,
    badClient: { status: 400, body: { error: { message: 'Error validating client secret.', code: 1 } } },
    badCode: { status: 400, body: { error: { message: 'Invalid verification code', code: 100 } } },
    badToken: { status: 400, body: { error: { message: 'Invalid OAuth access token.', code: 190 } } },
  },
  'x-universal': {
    ...plain,
    authorization: { ...standard, scope: 'users.read tweet.read' },
    hasPkce: true,
    token: basicAuth,
  },
  'linkedin-universal': { ...plain, authorization: { ...standard, scope: 'openid profile email' } },
  'discord-universal': {
    ...plain,
    authorization: { ...standard, scope: 'identify email' },
    hasPkce: true,
  },
  'kakao-universal': { ...plain, authorization: standard, hasPkce: true, profile: bearer('POST') },
  'naver-universal': {
    ...plain,
    authorization: standard,
    token: (call, grant) =>
      posted(call, grant) ?? (grant.state ? mismatch(form(call), { state: grant.state }) : null),
    badCode: { status: 200, body: { error: 'invalid_request', error_description: 'no valid data' } },
  },
  'feishu-web': { ...plain, authorization: standard },
  'wechat-web': {
    authorization: { response_type: 'code', appid: stubClient.id, scope: 'snsapi_login' },
    token: ({ query }) =>
      mismatch(query, { appid: stubClient.id, secret: stubClient.secret, grant_type: 'authorization_code' }),
    granted: (token) => ({ access_token: token, openid: 'o-1', expires_in: 7200 }),
    profile: ({ query }) => mismatch(query, { access_token: STUB_TOKEN, openid: 'o-1' }),
    badClient: { status: 200, body: { errcode: 40125, errmsg: 'invalid appsecret' } },
    badCode: { status: 200, body: { errcode: 40029, errmsg: 'invalid code' } },
    badToken: { status: 200, body: { errcode: 40001, errmsg: 'invalid credential' } },
  },
  'alipay-web': {
    authorization: { app_id: stubClient.id, scope: 'auth_user' },
    codeName: 'auth_code',
    badClient: {
      status: 200,
      body: { error_response: { code: '40002', sub_code: 'isv.invalid-signature' } },
    },
    token: (call, _grant, keys) =>
      alipayProblem(call, keys) ?? mismatch(call.query, { grant_type: 'authorization_code' }),
    granted: (token) => ({ alipay_system_oauth_token_response: { access_token: token }, sign: 'c2ln' }),
    profile: (call, keys) => alipayProblem(call, keys) ?? mismatch(call.query, { auth_token: STUB_TOKEN }),
    badCode: {
      status: 200,
      body: { error_response: { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.code-invalid' } },
    },
    badToken: {
      status: 200,
      body: {
        alipay_user_info_share_response: {
          code: '20001',
          msg: 'Insufficient Token Permissions',
          sub_code: 'aop.invalid-auth-token',
        },
      },
    },
  },
  oidc: {
    ...plain,
    authorization: { ...standard, scope: 'openid profile email' },
    hasPkce: true,
    hasNonce: true,
  },
  oauth2: {
    ...plain,
    authorization: { ...standard, scope: 'profile', tenant: 'blue' },
    hasPkce: true,
    token: (call, grant) => posted(call, grant) ?? mismatch(form(call), { tenant: 'blue' }),
    granted: (token) => `access_token=${token}&token_type=Bearer`,
  },
}

/** Checks the code verifier of a token request against the challenge (RFC 7636 §4.6). */
export function pkceProblem(call: StubSocialCall, { challenge }: Grant): string | null {
  const isJson = call.headers['content-type'] === 'application/json'
  const parameter = isJson
    ? JSON.parse(call.body).code_verifier
    : (form(call).get('code_verifier') ?? call.query.get('code_verifier'))
  const verifier = String(parameter ?? '')
  const hash = createHash('sha256').update(verifier).digest('base64url')
  return hash === challenge && verifier.length >= 43 ? null : 'code_verifier'
}

/**
 * Returns a placeholder grant for an unknown code, because providers check the client's credentials before
 * the code.
 */
export const unknownGrant = (call: StubSocialCall): Grant => ({
  redirectUri: form(call).get('redirect_uri') ?? call.query.get('redirect_uri') ?? '',
  state: '',
  challenge: null,
  nonce: null,
})

/** Returns the code from a JSON body, a form or the query. */
export function codeIn(call: StubSocialCall): string {
  const isJson = call.headers['content-type'] === 'application/json'
  if (isJson) return String(JSON.parse(call.body).code)
  return form(call).get('code') ?? call.query.get('code') ?? ''
}

/** https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#user-agent */
function githubProblem(call: StubSocialCall): string | null {
  return bearer('GET', 'token')(call) ?? (call.headers['user-agent'] ? null : 'no user agent')
}

/** https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret */
function appleProblem(call: StubSocialCall, grant: Grant, keys: SocialKeys): string | null {
  const [head = '', body = '', signature = ''] = (form(call).get('client_secret') ?? '').split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: createPublicKey(keys.apple), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) return 'signature of client_secret'
  const parsed = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  const { iat, exp, ...payload } = parsed(body)
  const now = Date.now() / 1000
  if (iat > now + 1 || exp < now || exp > now + 15_777_000) return 'times of client_secret'
  return (
    mismatch(parsed(head), { alg: 'ES256', kid: stubClient.keyId }) ??
    mismatch(payload, { iss: stubClient.teamId, sub: stubClient.id }) ??
    mismatch(form(call), { ...code(grant), client_id: stubClient.id })
  )
}

/** https://opendocs.alipay.com/common/057k53 */
function alipayProblem({ method, query }: StubSocialCall, keys: SocialKeys): string | null {
  const sent = Object.fromEntries(query)
  const { sign: signature = '', ...signed } = sent
  const text = Object.entries(signed)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const hash = sent.sign_type === 'RSA' ? 'sha1' : 'sha256'
  const key = createPublicKey(keys.alipay)
  if (!verify(hash, Buffer.from(text), key, Buffer.from(signature, 'base64'))) return 'sign'
  const inChina = Date.parse(`${sent.timestamp?.replace(' ', 'T')}+08:00`)
  if (!(Math.abs(inChina - Date.now()) < 60_000)) return `timestamp ${sent.timestamp}`
  return method === 'POST'
    ? mismatch(sent, { app_id: stubClient.id, charset: 'utf-8', format: 'JSON', version: '1.0' })
    : method
}
