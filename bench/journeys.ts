import { authorization, type CookieClient, freshName, PASSWORD } from '../tests/kit/cookie-client.ts'
import type { Fixtures } from './fixtures.ts'

/** Runs one call under a name, so that somebody may count what it costs. */
export type Watch = (name: string, call: () => Promise<Response>) => Promise<Response>

export type Journey = (fixtures: Fixtures, watch: Watch) => Promise<void>

/** From an application to tokens, in the ways design 5 has goals for. Each begins as a stranger, with everything warm. */
export const journeys: Record<string, Journey> = {
  'sign-in with a password': async (fixtures, watch) => {
    await signIn(fixtures, watch)
  },

  'registration with a code': async (fixtures, watch) => {
    const visitor = fixtures.newCookieClient()
    const { request, call } = await begin(fixtures, visitor, watch)
    const email = `${freshName()}@example.com`
    await watch('PUT /interaction to register', () => call('PUT', '', { event: 'Register' }))
    await watch('POST /interaction/verification/verification-code', () =>
      call('POST', '/verification/verification-code', { email }),
    )
    const verificationCode = fixtures.codeTo(email)
    await watch('PATCH /interaction/identifiers with a code', () =>
      call('PATCH', '/identifiers', { email, verificationCode }),
    )
    await watch('PATCH /interaction/profile', () => call('PATCH', '/profile', { email }))
    const submitted = await watch('POST /interaction/submit to register', () => call('POST', '/submit'))
    await finish(fixtures, watch, { visitor, request, submitted })
  },

  'silent sign-in': async (fixtures, watch) => {
    const visitor = await signIn(fixtures, unwatched)
    const request = await wanted(fixtures, { prompt: 'none' })
    const back = await watch('GET /oidc/auth silent', () => visitor.get(request.url))
    await redeem(fixtures, watch, { request, back })
  },

  'use of a refresh token': async (fixtures, watch) => {
    const visitor = fixtures.newCookieClient()
    const offline = { scope: 'openid profile offline_access', prompt: 'consent' }
    const { request, call, uid } = await begin(fixtures, visitor, unwatched, offline)
    await passwordSteps(fixtures, unwatched, call)
    const asked = await resume(visitor, await call('POST', '/submit'))
    const asking =
      new URL(asked.headers.get('location') ?? '', 'http://x').searchParams.get('interaction') ?? uid
    const agreed = await visitor.send('POST', '/api/interaction/consent', undefined, { Interaction: asking })
    const back = await resume(visitor, agreed)
    const { refresh_token } = await tokens(await redeem(fixtures, unwatched, { request, back }))
    await watch('POST /oidc/token with a refresh token', () =>
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

const unwatched: Watch = (_, call) => call()

async function signIn(fixtures: Fixtures, watch: Watch): Promise<CookieClient> {
  const visitor = fixtures.newCookieClient()
  const { request, call } = await begin(fixtures, visitor, watch)
  await passwordSteps(fixtures, watch, call)
  const submitted = await watch('POST /interaction/submit', () => call('POST', '/submit'))
  await finish(fixtures, watch, { visitor, request, submitted })
  return visitor
}

type Call = (method: string, path: string, body?: unknown) => Promise<Response>

const passwordSteps = ({ username }: Fixtures, watch: Watch, call: Call) =>
  watch('PUT /interaction with a password', () =>
    call('PUT', '', { event: 'SignIn', identifier: { username, password: PASSWORD } }),
  )

const wanted = ({ clientId, redirectUri }: Fixtures, more: Record<string, string> = {}) =>
  authorization({ client_id: clientId, redirect_uri: redirectUri, ...more })

async function begin(
  fixtures: Fixtures,
  visitor: CookieClient,
  watch: Watch,
  more: Record<string, string> = {},
) {
  const request = await wanted(fixtures, more)
  const begun = await watch('GET /oidc/auth without a session', () => visitor.get(request.url))
  const page = begun.headers.get('location') ?? ''
  const uid = new URL(page, 'http://x').searchParams.get('interaction') ?? ''
  await watch('GET a page', () => visitor.get(page))
  const call: Call = (method, path, body) =>
    visitor.send(method, `/api/interaction${path}`, body, { Interaction: uid })
  return { request, call, uid }
}

type Request = Awaited<ReturnType<typeof wanted>>

async function finish(
  fixtures: Fixtures,
  watch: Watch,
  { visitor, request, submitted }: { visitor: CookieClient; request: Request; submitted: Response },
) {
  const back = await watch('GET /oidc/auth/… (resume)', () => resume(visitor, submitted))
  await redeem(fixtures, watch, { request, back })
}

async function resume(visitor: CookieClient, submitted: Response): Promise<Response> {
  const { redirectTo } = (await submitted.json()) as { redirectTo: string }
  return visitor.get(redirectTo)
}

function redeem(fixtures: Fixtures, watch: Watch, { request, back }: { request: Request; back: Response }) {
  const code = new URL(back.headers.get('location') ?? '', 'http://x').searchParams.get('code') ?? ''
  return watch('POST /oidc/token with a code', () =>
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
