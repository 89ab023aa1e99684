import type { Context } from 'hono'
import type { MessageRequest } from '../application/connectors/send.ts'
import type { RequestFacts } from '../application/request.ts'
import { getPlace } from '../domain/place.ts'
import { runInBackground } from '../storage/background.ts'

/** Extracts what use cases need from a request, so that they do not depend on HTTP. */

/** Returns a function that runs tasks after the response. */
export const backgroundRunner =
  <Variables extends RequestFacts>(c: Context<{ Variables: Variables }>) =>
  (task: () => Promise<unknown>): void =>
    runInBackground(c.executionCtx, c.var, task)

export const toMessageRequest = <Variables extends RequestFacts>(
  c: Context<{ Variables: Variables }>,
): MessageRequest => ({
  tenantId: c.var.tenantId,
  requestId: c.var.requestId,
  host: new URL(c.req.url).host,
  acceptLanguage: c.req.header('accept-language'),
})

/** Returns what the audit log records about the caller. */
export const callerOf = <Variables extends RequestFacts>(c: Context<{ Variables: Variables }>) => ({
  ip: c.var.ip,
  userAgent: c.req.header('user-agent'),
  place: getPlace(c.req.raw),
})

/** Returns whether a request may change something. A read may be repeated (RFC 9110 §9.2.1). */
export const isChange = ({ req }: Pick<Context, 'req'>): boolean => !['GET', 'HEAD'].includes(req.method)
