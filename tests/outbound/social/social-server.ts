import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { addressOf, closeServer } from '../provider-server.ts'
import { socialAccounts } from './social-accounts.ts'
import { type IdTokenFault, IdTokens } from './social-id-tokens.ts'
import {
  codeIn,
  type Grant,
  pkceProblem,
  type SocialKeys,
  STUB_TOKEN,
  type StubAnswer,
  type StubSocialCall,
  socialStubs,
  unknownGrant,
} from './social-stubs.ts'

export type SocialStubs = { url: string; keys: SocialKeys }

const SLOW = 20_000 // ms; much longer than the timeouts in tests

/**
 * Starts a server that acts as every social provider at `/{caller}/{behaviour}/{factory id}/...`. With the
 * behaviour `ok`, each provider checks every call, from the authorization request to the profile. Other
 * behaviours make the provider fail at one step or return another account.
 */
export async function startSocialProviders(): Promise<SocialStubs & { close(): void }> {
  const keys = newKeys()
  const idTokens = await IdTokens.create()
  const grants = new Map<string, Grant>()
  const server = createServer(async (request, response) => {
    const call = await callOf(request)
    const [, caller = '', behaviour = '', factoryId = ''] = call.path.split('/').map(decodeURIComponent)
    const base = `${addressOf(server)}/${caller}/${encodeURIComponent(behaviour)}/${factoryId}`
    const step = stepOf(call)
    if (behaviour === `${step}-slow`) {
      setTimeout(() => response.end(), SLOW).unref()
      return
    }
    const result =
      faultOf(behaviour, step, base) ??
      (await answerOf({ behaviour, factoryId, step, base, call, grants, keys, idTokens }))
    answer(response, result)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: addressOf(server), keys, close: () => closeServer(server) }
}

type Step = 'authorize' | 'token' | 'profile' | 'emails' | 'keys' | 'discovery' | 'unknown'
type Call = StubSocialCall & { path: string }
type Answer = StubAnswer & { headers?: Record<string, string> }
type StubCall = {
  behaviour: string
  factoryId: string
  step: Step
  base: string
  call: Call
  grants: Map<string, Grant>
  keys: SocialKeys
  idTokens: IdTokens
}

const steps: Record<string, Step> = {
  authorize: 'authorize',
  token: 'token',
  userinfo: 'profile',
  emails: 'emails',
  keys: 'keys',
  'openid-configuration': 'discovery',
}
const gatewayMethods: Record<string, Step> = {
  'alipay.system.oauth.token': 'token',
  'alipay.user.info.share': 'profile',
}

function stepOf({ path, query }: Call): Step {
  const last = path.split('/').at(-1) ?? ''
  return (last === 'gateway' ? gatewayMethods[query.get('method') ?? ''] : steps[last]) ?? 'unknown'
}

/** A response in which every member that a connector reads has the wrong type. */
const wrongTypes = {
  access_token: 7,
  id_token: 7,
  openid: 7,
  id: {},
  sub: 7,
  data: 7,
  response: 'x',
  keys: 7,
  issuer: 7,
  user: 7,
  alipay_system_oauth_token_response: 7,
  alipay_user_info_share_response: 'x',
}

function faultOf(behaviour: string, step: Step, base: string): Answer | null {
  switch (behaviour) {
    case `${step}-failing`:
      return { status: 503, body: 'upstream connect error' }
    case `${step}-busy`:
      return { status: 429, body: { error: 'slow_down' } }
    case `${step}-malformed`:
      return { status: 200, body: '<html>Welcome to the captive portal</html>' }
    case `${step}-types`:
      return { status: 200, body: wrongTypes }
    case `${step}-endless`:
      return { status: 200, body: 'x'.repeat(300_000) }
    case `${step}-redirecting`:
      return { status: 307, body: '', headers: { location: base.replace(behaviour, 'ok') } }
    default:
      return null
  }
}

async function answerOf(request: StubCall): Promise<Answer> {
  const stub = Object.entries(socialStubs).find(([id]) => id === request.factoryId)?.[1]
  const account = Object.entries(socialAccounts).find(([id]) => id === request.factoryId)?.[1]
  if (!stub || !account) return { status: 404, body: 'no such provider' }
  const { behaviour, step, base, call, grants, keys, idTokens, factoryId } = request
  switch (step) {
    case 'discovery':
      return { status: 200, body: metadata(base, behaviour) }
    case 'keys':
      return { status: 200, body: idTokens.keys(base) }
    case 'authorize':
      return authorize(request, stub)
    case 'token': {
      const code = codeIn(call)
      const grant = grants.get(code)
      grants.delete(code)
      const refusal = stub.token(call, grant ?? unknownGrant(call), keys)
      if (refusal && stub.badClient) return stub.badClient
      if (!refusal && (!grant || behaviour === 'bad-code')) return stub.badCode
      const problem = refusal ?? (grant && stub.hasPkce ? pkceProblem(call, grant) : null)
      if (problem) return { status: 400, body: { error: 'invalid_client', error_description: problem } }
      if (!stub.hasNonce) return { status: 200, body: stub.granted?.(STUB_TOKEN) ?? tokens }
      const idToken = await idTokens.make({
        base,
        factoryId,
        claims: idTokenClaims(account, behaviour),
        nonce: grant?.nonce ?? null,
        fault: behaviour as IdTokenFault,
      })
      return { status: 200, body: behaviour === 'no-id-token' ? tokens : { ...tokens, id_token: idToken } }
    }
    case 'profile': {
      if (behaviour === 'bad-token') return stub.badToken ?? { status: 401, body: '' }
      const problem = stub.profile?.(call, keys)
      if (problem) return { status: 403, body: problem }
      const profile = accountOf(account, behaviour)
      return {
        status: 200,
        body:
          factoryId === 'alipay-web' ? { alipay_user_info_share_response: profile, sign: 'c2ln' } : profile,
      }
    }
    case 'emails': {
      const problem = stub.emails?.(call) ?? null
      return problem === null ? { status: 200, body: emailsOf(behaviour) } : { status: 403, body: problem }
    }
    case 'unknown':
      return { status: 404, body: call.path }
  }
}

/**
 * Returns the claims of an ID token. With the behaviour `claims-{JSON}`, these claims replace all others except `sub`.
 * If userinfo fails, the ID token is minimal.
 */
function idTokenClaims(account: (typeof socialAccounts)['oidc'], behaviour: string): object {
  if (behaviour.startsWith('profile-')) return account.minimal
  if (!behaviour.startsWith('claims-{')) return accountOf(account, behaviour)
  return { ...account.minimal, ...JSON.parse(behaviour.slice('claims-'.length)) }
}

const tokens = { access_token: STUB_TOKEN, token_type: 'Bearer', expires_in: 3600 }

function accountOf(
  { full, minimal, unverified, noId }: (typeof socialAccounts)['oidc'],
  behaviour: string,
): object {
  switch (behaviour) {
    case 'minimal':
      return minimal
    case 'unverified':
      return unverified ?? {}
    case 'no-id':
      return noId
    default:
      return full[0]
  }
}

/** Returns the addresses of a GitHub account, of which the second is the primary one. */
const emailsOf = (behaviour: string) =>
  behaviour === 'minimal'
    ? []
    : ['public@example.com', 'ann@example.com'].map((email, at) => ({
        email,
        primary: at === 1,
        verified: behaviour !== 'unverified',
        visibility: at === 1 ? 'private' : 'public',
      }))

const metadata = (base: string, behaviour: string) => ({
  issuer: behaviour === 'metadata-of-another' ? 'https://accounts.example.com' : base,
  authorization_endpoint: behaviour === 'scripting' ? 'javascript:alert(1)' : `${base}/authorize`,
  token_endpoint: `${base}/token`,
  userinfo_endpoint: `${base}/userinfo`,
  jwks_uri: `${base}/keys`,
  authorization_response_iss_parameter_supported: true,
})

/** Sends the browser back to us, by a redirect or through a form that submits itself. */
function authorize(
  { behaviour, base, call, grants, factoryId }: StubCall,
  stub: (typeof socialStubs)['oidc'],
): Answer {
  const { query } = call
  const wrong = Object.entries(stub.authorization).find(([name, value]) => query.get(name) !== value)
  const [redirectUri, state] = [query.get('redirect_uri'), query.get('state')]
  const [challenge, nonce] = [query.get('code_challenge'), query.get('nonce')]
  const problem =
    wrong?.[0] ||
    (stub.hasNonce && !nonce && 'nonce') ||
    (stub.hasPkce && (!challenge || query.get('code_challenge_method') !== 'S256') && 'code_challenge')
  if (problem || !redirectUri || !state) return { status: 400, body: `${problem} in ${query}` }

  const code = randomUUID()
  grants.set(code, { redirectUri, state, challenge, nonce })
  // Every authorization response contains the issuer, even an error response (RFC 9207 §2).
  const iss = factoryId === 'oidc' &&
    behaviour !== 'no-issuer' && {
      iss: behaviour === 'mix-up' ? 'https://accounts.example.com' : base,
    }
  const parameters: Record<string, string> = isDenial(behaviour)
    ? { error: behaviour.replace('denied-', ''), error_description: 'The user said no', state, ...iss }
    : {
        [stub.codeName ?? 'code']: code,
        state,
        ...iss,
        ...(factoryId === 'apple-universal' && behaviour !== 'minimal' && { user: appleUser }),
      }
  if (query.get('response_mode') !== 'form_post') {
    const url = new URL(redirectUri)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return { status: 303, body: '', headers: { location: url.href } }
  }
  const inputs = Object.entries(parameters).map(([name, value]) => `<input name="${name}" value='${value}'>`)
  return { status: 200, body: `<form method="post" action="${redirectUri}">${inputs.join('')}</form>` }
}

const isDenial = (behaviour: string) => behaviour.startsWith('denied-')

/** The `user` field of Apple's response after a user has replaced the address with another user's address. */
const appleUser = JSON.stringify({
  name: { firstName: 'Ann', lastName: 'Lee' },
  email: 'victim@example.com',
})

function newKeys(): SocialKeys {
  const pem = { type: 'pkcs8', format: 'pem' } as const
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  return {
    apple: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem).toString(),
    alipay: rsa.export(pem).toString(),
    alipayBare: rsa.export({ type: 'pkcs1', format: 'der' }).toString('base64'),
  }
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

function answer(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}
