import { hc } from 'hono/client'
import type { ApiRoutes } from '../../src/api/index.ts'
import type { ErrorBody, ErrorCode } from '../../src/contract/errors.ts'
import { INTERACTION_HEADER } from '../../src/contract/interaction.ts'

/** What became of a call, as a value. */
export type Answer<Value> = { ok: true; value: Value } | { ok: false; error: Failure }

/** A refusal of the server, or one of the two ways not to understand it (product 8). */
export type Failure = Pick<ErrorBody, 'message' | 'data'> & {
  code: ErrorCode | 'client.timeout' | 'client.unknown'
}

export type Api = ReturnType<typeof createApi>

/** The interaction API as journeys call it, in the browser over the network and on the server in-process. */
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
    /** Begins, or begins again. */
    start: (json: Parameters<typeof calls.$put>[0]['json']) => answer<null>(calls.$put({ json })),
    /** Tells the server what the next page needs to know (decision 7). */
    keepNavigation: (json: Parameters<typeof calls.step.$put>[0]['json']) =>
      answer<null>(calls.step.$put({ json })),
    /** The event alone; what was proved stays (contract 1.3). */
    setEvent: (json: Parameters<typeof calls.event.$put>[0]['json']) =>
      answer<null>(calls.event.$put({ json })),
    /** Shows one more thing to be true. */
    prove: (json: Parameters<typeof calls.identifiers.$patch>[0]['json']) =>
      answer<null>(calls.identifiers.$patch({ json })),
    requestCode: (json: Parameters<(typeof calls.verification)['verification-code']['$post']>[0]['json']) =>
      answer<null>(calls.verification['verification-code'].$post({ json })),
    /** Where a social provider asks the visitor who they are (contract 1.3). */
    authorizeAt: (
      json: Parameters<(typeof calls.verification)['social-authorization-uri']['$post']>[0]['json'],
    ) => answer<{ redirectTo: string }>(calls.verification['social-authorization-uri'].$post({ json })),
    replaceProfile: (json: Parameters<typeof calls.profile.$put>[0]['json']) =>
      answer<null>(calls.profile.$put({ json })),
    dropProfile: () => answer<null>(calls.profile.$delete()),
    completeProfile: (json: Parameters<typeof calls.profile.$patch>[0]['json']) =>
      answer<null>(calls.profile.$patch({ json })),
    /** Null after a password reset, which leads nowhere by itself. */
    submit: () => answer<{ redirectTo: string } | null>(calls.submit.$post()),
    consent: () => answer<{ redirectTo: string }>(calls.consent.$post()),
  }
}

type AnyResponse = Pick<Response, 'ok' | 'status' | 'json'>

async function answer<Value>(call: Promise<AnyResponse>): Promise<Answer<Value>> {
  try {
    const response = await call
    const body: unknown = response.status === 204 ? null : await response.json()
    // The routes declare what they answer, and their tests hold them to it.
    if (response.ok) return { ok: true, value: body as Value }
    return isErrorBody(body) ? { ok: false, error: body } : failed('client.unknown')
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return failed('client.timeout')
    console.error(error) // product 8: any other error is logged
    return failed('client.unknown')
  }
}

const failed = (code: Failure['code']): { ok: false; error: Failure } => ({
  ok: false,
  error: { code, message: '' },
})

function isErrorBody(body: unknown): body is ErrorBody {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'message' in body &&
    typeof body.message === 'string'
  )
}
