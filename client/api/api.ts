import { hc } from 'hono/client'
import type { ApiRoutes } from '../../src/api/index.ts'
import type { ErrorBody, ErrorCode } from '../../src/contract/errors.ts'
import { INTERACTION_HEADER } from '../../src/contract/interactions/interaction.ts'
import { isRecord } from '../../src/contract/is-record.ts'
import type { PasskeyAbility, PasskeysAfterSubmit } from '../../src/contract/passkeys/passkeys.ts'
import { NETWORK_ERROR, retryAfterMs } from './retrying-fetch.ts'

/** Re-exported so that it is loaded together with this file, at the first call. */
export { fetchWithRetries } from './retrying-fetch.ts'

/** The result of an API call, with failures as values instead of exceptions. */
export type CallOutcome<Value> = { ok: true; value: Value } | { ok: false; error: CallFailure }

/**
 * An error response from the server, or a failure for which the server sent no response
 * (spec/errors#client-messages).
 */
export type CallFailure = Pick<ErrorBody, 'message' | 'data'> & {
  code: ErrorCode | 'client.offline' | 'client.timeout' | 'client.unknown'
}

export type InteractionApi = ReturnType<typeof createApi>

type SubmitBody = {
  agreesToTerms?: boolean
  putsOffSecondFactor?: boolean
  remembersBrowser?: boolean
  passkeyAbilities?: PasskeyAbility[]
}

/**
 * The result of a submit call: the URL to redirect to, and what the browser may do with passkeys first
 * (spec/interaction#submit-passkeys).
 */
export type SubmitResult = { redirectTo: string; passkeys?: PasskeysAfterSubmit }

/** Creates the interaction API that journeys call: over the network in the browser, or in-process on the server. */
export function createApi({
  baseUrl,
  fetch,
  language,
  interaction,
}: {
  baseUrl: string
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Response | Promise<Response>
  language: string
  interaction: string | null
}) {
  const calls = hc<ApiRoutes>(baseUrl, {
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
    headers: { 'Accept-Language': language, ...(interaction && { [INTERACTION_HEADER]: interaction }) },
  }).api.interaction

  return {
    /** The typed client, for rare calls whose code is loaded with the page that makes them. */
    calls,
    /** Starts or restarts the interaction. */
    start: (json: Parameters<typeof calls.$put>[0]['json']) => readOutcome<null>(calls.$put({ json })),
    /** Stores what the next page needs to know (spec/interaction#navigation-state). */
    keepNavigation: (json: Parameters<typeof calls.step.$put>[0]['json']) =>
      readOutcome<null>(calls.step.$put({ json })),
    /** Changes the event and keeps all verified identifiers and credentials (spec/interaction#event). */
    setEvent: (json: Parameters<typeof calls.event.$put>[0]['json']) =>
      readOutcome<null>(calls.event.$put({ json })),
    /** Adds a verified identifier or credential (spec/interaction#proof). */
    prove: (json: Parameters<typeof calls.identifiers.$patch>[0]['json']) =>
      readOutcome<null>(calls.identifiers.$patch({ json })),
    requestCode: (json: Parameters<(typeof calls.verification)['verification-code']['$post']>[0]['json']) =>
      readOutcome<null>(calls.verification['verification-code'].$post({ json })),
    /** Returns the authorization URL of a social provider (spec/interaction#social-start). */
    authorizeAt: (
      json: Parameters<(typeof calls.verification)['social-authorization-uri']['$post']>[0]['json'],
    ) => readOutcome<{ redirectTo: string }>(calls.verification['social-authorization-uri'].$post({ json })),
    replaceProfile: (json: Parameters<typeof calls.profile.$put>[0]['json']) =>
      readOutcome<null>(calls.profile.$put({ json })),
    dropProfile: () => readOutcome<null>(calls.profile.$delete()),
    completeProfile: (json: Parameters<typeof calls.profile.$patch>[0]['json']) =>
      readOutcome<null>(calls.profile.$patch({ json })),
    /** Completes the interaction. Returns null after a password reset, which does not sign the user in. */
    submit: (json?: SubmitBody) =>
      // Sends a request without a body if `json` is undefined.
      readOutcome<SubmitResult | null>(calls.submit.$post({ json: json as SubmitBody })),
    consent: (json: Parameters<typeof calls.consent.$post>[0]['json']) =>
      readOutcome<{ redirectTo: string }>(calls.consent.$post({ json })),
  }
}

type AnyResponse = Pick<Response, 'ok' | 'status' | 'headers' | 'json'>

export async function readOutcome<Value>(call: Promise<AnyResponse>): Promise<CallOutcome<Value>> {
  let response: AnyResponse | undefined
  try {
    response = await call
    const body: unknown = response.status === 204 ? null : await response.json()
    // The routes declare these response types, and tests compare the responses with them.
    if (response.ok) return { ok: true, value: body as Value }
    return isErrorBody(body) ? { ok: false, error: body } : failed('client.unknown', response)
  } catch (error) {
    const name = error instanceof Error ? error.name : null
    if (name === 'TimeoutError') return failed('client.timeout')
    if (name === NETWORK_ERROR) return failed('client.offline')
    console.error(error)
    return failed('client.unknown', response)
  }
}

/** Returns a failure without an error body. A response that is not ours, such as a proxy's, may say when to retry. */
function failed(code: CallFailure['code'], response?: AnyResponse): { ok: false; error: CallFailure } {
  const delay = response && retryAfterMs(response)
  const data = delay && { data: { retryAfter: Math.ceil(delay / 1000) } }
  return { ok: false, error: { code, message: '', ...data } }
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  isRecord(body) && typeof body.code === 'string' && typeof body.message === 'string'
