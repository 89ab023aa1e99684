import { parseSetCookie } from 'cookie'
import { DEMO_APP_ID } from '../../../src/contract/product.ts'

/** The origin of the test app. A running server has its own origin. */
export const ORIGIN = 'http://localhost:8787'

/** The origin of the test app in production mode (`openTestApp({ ENVIRONMENT: 'production' })`). */
export const PRODUCTION_ORIGIN = 'https://localhost:8787'

/** The server to call: the Worker in a test, or a running server. */
type TestApp = { fetch(path: string, init?: RequestInit): Promise<Response> }

/** An HTTP client that stores cookies by name and path and does not follow redirects. */
export type CookieClient = {
  get(path: string, headers?: Record<string, string>): Promise<Response>
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  /** The cookies by name. If a cookie is bound to a path, its key also contains the path. */
  cookies: Map<string, { value: string; path: string }>
  /** Returns the `Cookie` header for a path or, without a path, for all cookies. */
  cookieHeader(path?: string): string
}

export function newCookieClient(app: TestApp): CookieClient {
  const cookies: CookieClient['cookies'] = new Map()

  const cookieHeader = (path?: string) => {
    const pathname = path && new URL(path, ORIGIN).pathname
    const sent = [...cookies].filter(
      ([, { path: scope }]) => scope === '/' || (pathname?.startsWith(scope) ?? true),
    )
    return sent.map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
  }

  async function ask(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    const sent = cookieHeader(path)
    if (sent) headers.set('cookie', sent)
    const response = await app.fetch(path, { ...init, headers })
    for (const line of response.headers.getSetCookie()) store(line)
    return response
  }

  function store(line: string) {
    const { name, value = '', maxAge, expires, path = '/' } = parseSetCookie(line, unchanged)
    const isOver = maxAge === 0 || (expires !== undefined && expires.getTime() <= Date.now())
    const key = path === '/' ? name : `${name} ${path}`
    if (isOver) cookies.delete(key)
    else cookies.set(key, { value, path })
  }

  return {
    cookies,
    cookieHeader,
    get: (path, headers = {}) => ask(path, { headers }),
    send: (method, path, body, headers = {}) =>
      ask(path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    post: (path, form, headers = {}) =>
      ask(path, { method: 'POST', headers, body: new URLSearchParams(form) }),
  }
}

/** A client sends cookie values exactly as it received them. */
const unchanged = { decode: (value: string) => value }

/** The values that an application keeps from the authorization request to the token request. */
export type PreparedAuthorization = {
  url: string
  verifier: string
  state: string
  nonce: string
  redirectUri: string
}

export async function authorizationRequest(
  parameters: Record<string, string> = {},
): Promise<PreparedAuthorization> {
  const verifier = randomText()
  const challenge = Buffer.from(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)),
  ).toString('base64url')
  const redirectUri = parameters.redirect_uri ?? `${ORIGIN}/demo-app`
  const state = randomText()
  const nonce = randomText()
  const query = new URLSearchParams({
    client_id: DEMO_APP_ID,
    response_type: 'code',
    scope: 'openid profile',
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  })
  return { url: `/oidc/auth?${query}`, verifier, state, nonce, redirectUri }
}

/**
 * The parameters of a request whose authorization a submission cannot finish, so that the browser has to resume the
 * interaction (spec/interaction#direct-response).
 */
export const RESUMED = { prompt: 'login consent' }

const randomText = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')

/** Opens the sign-in page and returns the id of the interaction. */
export async function openSignInPage(client: CookieClient, request: PreparedAuthorization): Promise<string> {
  const response = await client.get(request.url)
  return new URL(response.headers.get('location') ?? '', ORIGIN).searchParams.get('interaction') ?? ''
}

/** Returns a username that is unique among the tests of a file, which share a database. */
export const freshName = () => `user_${crypto.randomUUID().slice(0, 8)}`

export const PASSWORD = 'correct-horse-7'

/** Registers a user through the API and returns the response to the submit. */
export async function registerAccount(
  client: CookieClient,
  uid: string,
  username: string,
  password = PASSWORD,
) {
  const headers = { Interaction: uid }
  await client.send(
    'PUT',
    '/api/interaction',
    { event: 'Register', profile: { username, password } },
    headers,
  )
  return client.send('POST', '/api/interaction/submit', undefined, headers)
}

/** Signs a user in through the API and returns the response to the submit. */
export async function signIn(client: CookieClient, uid: string, username: string, password = PASSWORD) {
  const headers = { Interaction: uid }
  const identifier = { username, password }
  const started = await client.send('PUT', '/api/interaction', { event: 'SignIn', identifier }, headers)
  return started.ok ? client.send('POST', '/api/interaction/submit', undefined, headers) : started
}

/**
 * Returns the address to which a submit leads: the application's, which contains the code, or that of the next page. If
 * the submit has not finished the authorization, the client resumes it.
 */
export async function resumeAuthorization(client: CookieClient, submitted: Response): Promise<URL> {
  const { redirectTo }: { redirectTo: string } = await submitted.json()
  if (URL.canParse(redirectTo) && !isResume(redirectTo)) return new URL(redirectTo)
  const response = await client.get(redirectTo)
  return new URL(response.headers.get('location') ?? '', ORIGIN)
}

/** Tells whether an address is one at which the provider resumes an interaction. */
export const isResume = (address: string): boolean =>
  /^\/oidc\/(?:auth|device)\/[\w-]+$/.test(new URL(address).pathname)

/** Exchanges the code for tokens, as the application does. */
export function redeemCode(
  app: TestApp,
  { verifier, redirectUri }: PreparedAuthorization,
  code: string,
  clientId = DEMO_APP_ID,
) {
  return app.fetch('/oidc/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }),
  })
}
