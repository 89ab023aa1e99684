import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { RequestFacts } from '../application/request.ts'
import { type Refusal, refuse } from '../contract/errors.ts'
import { RefusalError } from '../contract/refused.ts'
import { isTransientError } from '../storage/database.ts'
import { logFailure } from '../storage/event-log.ts'
import { describeRefusal } from './describe-refusal.ts'

/**
 * Turns an error into a response (spec/errors#body). The response to a rejected request states the reason in the
 * caller's language. An unexpected error is logged, and its response contains no details.
 */
export async function respondToError(
  error: Error,
  c: Context<{ Variables: RequestFacts }>,
): Promise<Response> {
  const refusal = toRefusal(error)
  if (refusal.status >= 500 && !(error instanceof RefusalError)) {
    logFailure(error, { requestId: c.var.requestId, method: c.req.method, path: c.req.path })
  }
  const body = await describeRefusal(c, refusal)
  const retryAfter = refusal.code === 'server.unavailable' ? 1 : refusal.data?.retryAfter
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
  if (refusal.code === 'auth.insufficient_user_authentication')
    c.header('WWW-Authenticate', stepUpChallenge(c.req.header('authorization'), refusal))
  return c.json(body, statusOf(refusal))
}

/**
 * Builds the challenge that tells the application what kind of sign-in is required (RFC 9470 §3). It uses the
 * authentication scheme of the request (RFC 9449 §7.1).
 */
function stepUpChallenge(authorization: string | undefined, { data }: Refusal): string {
  const scheme = /^dpop /i.test(authorization ?? '') ? 'DPoP' : 'Bearer'
  const acrValues = data?.acrValues
  const description = acrValues
    ? 'A recent, stronger sign-in is required'
    : 'A more recent sign-in is required'
  const level = acrValues ? `, acr_values="${acrValues}"` : ''
  return `${scheme} error="insufficient_user_authentication", error_description="${description}"${level}, max_age="${data?.maxAge}"`
}

/** Converts an error to the error code and details that are sent to the caller. */
export function toRefusal(error: Error): Refusal {
  if (error instanceof RefusalError) return error.refusal
  if (error instanceof HTTPException && error.status < 500) {
    return refuse('guard.invalid_input', undefined, error.status)
  }
  return refuse(isTransientError(error) ? 'server.unavailable' : 'server.internal')
}

/**
 * Returns an error's HTTP status in the type that Hono expects. The cast is safe, because every status in the catalogue
 * allows a response body.
 */
const statusOf = ({ status }: Refusal) => status as ContentfulStatusCode
