import {
  authorizationRequest,
  type CookieClient,
  freshName,
  isResume,
  PASSWORD,
} from '../tests/kit/clients/cookie-client.ts'
import type { Fixtures } from './fixtures.ts'

/** Makes a call under the given name, so that its cost can be counted. */
export type CallRecorder = (name: string, call: () => Promise<Response>) => Promise<Response>

export type MeasuredJourney = (fixtures: Fixtures, record: CallRecorder) => Promise<void>

/** Signs in with a password, from the authorization request to the tokens. */
export async function passwordSignIn(fixtures: Fixtures, record: CallRecorder): Promise<void> {
  await signIn(fixtures, record)
}

/**
 * The journeys from an application to its tokens that have goals in spec/budgets#journey-costs. Each starts without
 * cookies and with warm caches.
 */
export const measuredJourneys: Record<string, MeasuredJourney> = {
  'sign-in with a password': passwordSignIn,

  'registration with a code': async (fixtures, record) => {
    const client = fixtures.newCookieClient()
    const { request, call } = await begin(fixtures, client, record)
    const email = `${freshName()}@example.com`
    await record('PUT /interaction to register', () => call('PUT', '', { event: 'Register' }))
    await record('POST /interaction/verification/verification-code', () =>
      call('POST', '/verification/verification-code', { email }),
    )
    const verificationCode = fixtures.codeTo(email)
    await record('PATCH /interaction/identifiers with a code', () =>
      call('PATCH', '/identifiers', { email, verificationCode }),
    )
    await record('PATCH /interaction/profile', () => call('PATCH', '/profile', { email }))
    const submitted = await record('POST /interaction/submit to register', () => call('POST', '/submit'))
    await finish(fixtures, record, { client, request, submitted })
  },

  'silent sign-in': async (fixtures, record) => {
    const client = await signIn(fixtures, unrecorded)
    const request = await benchRequest(fixtures, { prompt: 'none' })
    const back = await record('GET /oidc/auth silent', () => client.get(request.url))
    await redeem(fixtures, record, { request, back: locationOf(back) })
  },

  'use of a refresh token': async (fixtures, record) => {
    const client = fixtures.newCookieClient()
    const offline = { scope: 'openid profile offline_access', prompt: 'consent' }
    const { request, call, uid } = await begin(fixtures, client, unrecorded, offline)
    await enterPassword(fixtures, unrecorded, call)
    const consent = await addressAfter(await call('POST', '/submit'), { client })
    const consentUid = new URL(consent, 'http://x').searchParams.get('interaction') ?? uid
    const consentResponse = await client.send('POST', '/api/interaction/consent', undefined, {
      Interaction: consentUid,
    })
    const back = await addressAfter(consentResponse, { client })
    const { refresh_token } = await tokens(await redeem(fixtures, unrecorded, { request, back }))
    await record('POST /oidc/token with a refresh token', () =>
      fixtures.fetch('/oidc/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token,
          client_id: fixtures.clientId,
        }),
      }),
    )
  },
}

const unrecorded: CallRecorder = (_, call) => call()

async function signIn(fixtures: Fixtures, record: CallRecorder): Promise<CookieClient> {
  const client = fixtures.newCookieClient()
  const { request, call } = await begin(fixtures, client, record)
  await enterPassword(fixtures, record, call)
  const submitted = await record('POST /interaction/submit', () => call('POST', '/submit'))
  await finish(fixtures, record, { client, request, submitted })
  return client
}

type Call = (method: string, path: string, body?: unknown) => Promise<Response>

const enterPassword = ({ username }: Fixtures, record: CallRecorder, call: Call) =>
  record('PUT /interaction with a password', () =>
    call('PUT', '', { event: 'SignIn', identifier: { username, password: PASSWORD } }),
  )

const benchRequest = ({ clientId, redirectUri }: Fixtures, more: Record<string, string> = {}) =>
  authorizationRequest({ client_id: clientId, redirect_uri: redirectUri, ...more })

async function begin(
  fixtures: Fixtures,
  client: CookieClient,
  record: CallRecorder,
  more: Record<string, string> = {},
) {
  const request = await benchRequest(fixtures, more)
  const started = await record('GET /oidc/auth without a session', () => client.get(request.url))
  const page = started.headers.get('location') ?? ''
  const uid = new URL(page, 'http://x').searchParams.get('interaction') ?? ''
  await record('GET a page', () => client.get(page))
  const call: Call = (method, path, body) =>
    client.send(method, `/api/interaction${path}`, body, { Interaction: uid })
  return { request, call, uid }
}

type Request = Awaited<ReturnType<typeof authorizationRequest>>

async function finish(
  fixtures: Fixtures,
  record: CallRecorder,
  { client, request, submitted }: { client: CookieClient; request: Request; submitted: Response },
) {
  await redeem(fixtures, record, { request, back: await addressAfter(submitted, { client, record }) })
}

/** Returns the address to which a submit leads, after a resume if the submit has not finished the authorization. */
async function addressAfter(
  submitted: Response,
  { client, record = unrecorded }: { client: CookieClient; record?: CallRecorder },
): Promise<string> {
  const { redirectTo } = (await submitted.json()) as { redirectTo: string }
  if (!isResume(redirectTo)) return redirectTo
  return locationOf(await record('GET /oidc/auth/… (resume)', () => client.get(redirectTo)))
}

const locationOf = (response: Response): string => response.headers.get('location') ?? ''

function redeem(
  fixtures: Fixtures,
  record: CallRecorder,
  { request, back }: { request: Request; back: string },
) {
  const code = new URL(back, 'http://x').searchParams.get('code') ?? ''
  return record('POST /oidc/token with a code', () =>
    fixtures.fetch('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: fixtures.clientId,
        code,
        code_verifier: request.verifier,
        redirect_uri: request.redirectUri,
      }),
    }),
  )
}

const tokens = async (response: Response) => (await response.json()) as { refresh_token: string }
