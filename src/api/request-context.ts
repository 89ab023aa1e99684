import type { Context } from 'hono'
import type { MessageRequest } from '../application/connectors/send.ts'
import type { RequestFacts } from '../application/request.ts'
import { placeOf } from '../domain/place.ts'
import { runInBackground } from '../storage/background.ts'

/** What use cases take of a request, so that they need not know HTTP. */

/** Runs tasks after the answer. */
export const backgroundOf =
  <Variables extends RequestFacts>(c: Context<{ Variables: Variables }>) =>
  (task: () => Promise<unknown>): void =>
    runInBackground(c.executionCtx, c.var, task)

export const messageRequestOf = <Variables extends RequestFacts>(
  c: Context<{ Variables: Variables }>,
): MessageRequest => ({
  tenantId: c.var.tenantId,
  requestId: c.var.requestId,
  host: new URL(c.req.url).host,
  acceptLanguage: c.req.header('accept-language'),
})

/** For the audit log. */
export const callerOf = <Variables extends RequestFacts>(c: Context<{ Variables: Variables }>) => ({
  ip: c.var.ip,
  userAgent: c.req.header('user-agent'),
  place: placeOf(c.req.raw),
})

/** Whether a request wants to change something. A read may be repeated (RFC 9110 §9.2.1). */
export const isChange = ({ req }: Pick<Context, 'req'>): boolean => !['GET', 'HEAD'].includes(req.method)
