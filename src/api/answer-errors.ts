import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { RequestFacts } from '../application/request-facts.ts'
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
  return c.json(body, statusOf(refusal))
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
