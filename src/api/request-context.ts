import type { Context } from 'hono'
import type { MessageRequest } from '../application/connectors/send.ts'
import type { RequestFacts } from '../application/request.ts'
import { getCaller, getPlace } from '../domain/place.ts'
import { runInBackground } from '../storage/background.ts'

/** Extracts what use cases need from a request, so that they do not depend on HTTP. */

/** Returns a function that runs tasks after the response. */
export const createBackgroundRunner =
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

/** Returns the caller's network address and user agent, which the audit log records. */
export const auditedCaller = <Variables extends RequestFacts>(c: Context<{ Variables: Variables }>) => ({
  ip: c.var.ip,
  userAgent: c.req.header('user-agent'),
  place: getPlace(c.req.raw),
})

/** Adds the caller's device and place, which notices mention if users make a change themselves. */
export const toOwnMessageRequest = <Variables extends RequestFacts>(
  c: Context<{ Variables: Variables }>,
  zoneinfo?: string | null,
): MessageRequest => ({ ...toMessageRequest(c), caller: getCaller(c.req.raw, zoneinfo) })

/** Reports whether a request may change state, which is true of all methods that are not safe (RFC 9110 §9.2.1). */
export const changesState = ({ req }: Pick<Context, 'req'>): boolean => !['GET', 'HEAD'].includes(req.method)
