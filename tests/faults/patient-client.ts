import { authorizationRequest, isResume, ORIGIN, redeemCode } from '../kit/clients/cookie-client.ts'
import { type FaultyApp, ISOLATE_ENDED } from './faulty-app.ts'

/** A client in the middle of an interaction. It retries failed calls. */
export type PatientClient = {
  uid: string
  /** Makes a call below /api/interaction. */
  call(method: string, path: string, body?: unknown): Promise<Response>
}

export type RedeemedTokens = {
  access_token: string
  id_token: string
  refresh_token?: string
  userId: string
}

const MAX_TRIES = 3
const MAX_BEGINNINGS = 5

/** Retries a call that gets no response or a 503. */
export async function withRetries(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await ask()
    const isPassing = response.status === 503 || response.status === ISOLATE_ENDED
    if (!isPassing || tries === MAX_TRIES) return response
  }
}

/** Starts again from the beginning if retries do not help. */
export async function untilDone<T>(begin: () => Promise<T | 'again'>): Promise<T> {
  for (let beginnings = 0; beginnings < MAX_BEGINNINGS; beginnings++) {
    const result = await begin()
    if (result !== 'again') return result
  }
  throw new Error('does not end')
}

/** Makes the calls of the sign-in pages, up to and including the submit. */
export type ProofSteps = (interaction: PatientClient) => Promise<Response | 'again'>

/** Signs in, from the authorization request to the tokens, including the requests for pages. */
export function signInFor(
  faulty: FaultyApp,
  prove: ProofSteps,
  parameters: Record<string, string> = {},
): Promise<RedeemedTokens> {
  const { client, app } = faulty
  const goTo = async (address: string): Promise<URL | null> => {
    const response = await withRetries(() => client.get(address))
    const location = response.headers.get('location')
    return location === null ? null : new URL(location, ORIGIN)
  }

  return untilDone(async () => {
    const request = await authorizationRequest(parameters)
    let location = await goTo(request.url)
    for (let pages = 0; location && !isBack(location); pages++) {
      const uid = location.searchParams.get('interaction')
      if (!uid || pages === 3) return 'again'
      const interaction = interactionOf(faulty, uid)
      const asksConsent = location.pathname === '/sign-in/consent'
      const submitted = asksConsent ? await interaction.call('POST', '/consent') : await prove(interaction)
      if (submitted === 'again' || submitted.status !== 200) return 'again'
      const { redirectTo } = (await submitted.json()) as { redirectTo: string }
      location = isResume(redirectTo) ? await goTo(redirectTo) : new URL(redirectTo)
    }
    const code = location?.searchParams.get('code')
    if (!code) return 'again'
    const redeemed = await withRetries(() => redeemCode(app, request, code))
    return redeemed.ok ? tokensIn(redeemed) : 'again'
  })

  function isBack({ origin, pathname }: URL) {
    return origin + pathname === `${ORIGIN}/demo-app`
  }
}

export async function tokensIn(response: Response): Promise<RedeemedTokens> {
  const tokens = (await response.json()) as Omit<RedeemedTokens, 'userId'>
  const claims = Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString()
  return { ...tokens, userId: (JSON.parse(claims) as { sub: string }).sub }
}

function interactionOf({ client }: FaultyApp, uid: string): PatientClient {
  return {
    uid,
    call: (method, path, body) =>
      withRetries(() => client.send(method, `/api/interaction${path}`, body, { Interaction: uid })),
  }
}

/** Registers the user, or signs in if an earlier call has already registered the username. */
export function registeringUser(username: string, password: string): ProofSteps {
  const signIn = signingIn({ username }, password)
  let isRegistered = false
  return async (interaction) => {
    if (isRegistered) return signIn(interaction)
    const started = await interaction.call('PUT', '', { event: 'Register', profile: { username, password } })
    if (!started.ok) return 'again'
    const submitted = await interaction.call('POST', '/submit')
    isRegistered = submitted.status === 422 || submitted.status === 404
    return submitted
  }
}

export function signingIn(name: Record<string, string>, password: string): ProofSteps {
  return async (interaction) => {
    const identifier = { ...name, password }
    const started = await interaction.call('PUT', '', { event: 'SignIn', identifier })
    return started.ok ? interaction.call('POST', '/submit') : 'again'
  }
}
