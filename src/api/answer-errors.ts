import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { RequestFacts } from '../application/request.ts'
import { type Refusal, refuse } from '../contract/errors.ts'
import { RefusalError } from '../contract/refused.ts'
import { isTransient } from '../storage/database.ts'
import { logFailure } from '../storage/event-log.ts'
import { describeRefusal } from './describe-refusal.ts'

/**
 * Turns an error into an answer (spec/errors#body). A refusal names its reason in the caller's language; an unexpected
 * error is logged and answered without detail.
 */
export async function answerError(error: Error, c: Context<{ Variables: RequestFacts }>): Promise<Response> {
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

/** How the application gets a sign-in that is good enough (RFC 9470 §3), in the scheme of the call (RFC 9449 §7.1). */
function stepUpChallenge(authorization: string | undefined, { data }: Refusal): string {
  const scheme = /^dpop /i.test(authorization ?? '') ? 'DPoP' : 'Bearer'
  const acrValues = data?.acrValues
  const description = acrValues
    ? 'A stronger and recent sign-in is needed'
    : 'A more recent sign-in is needed'
  const level = acrValues ? `, acr_values="${acrValues}"` : ''
  return `${scheme} error="insufficient_user_authentication", error_description="${description}"${level}, max_age="${data?.maxAge}"`
}

/** The refusal with which an error is answered. */
export function toRefusal(error: Error): Refusal {
  if (error instanceof RefusalError) return error.refusal
  if (error instanceof HTTPException && error.status < 500) {
    return refuse('guard.invalid_input', undefined, error.status)
  }
  return refuse(isTransient(error) ? 'server.unavailable' : 'server.internal')
}

/** Every status of the catalogue has a body. */
const statusOf = ({ status }: Refusal) => status as ContentfulStatusCode
