import type { Context, MiddlewareHandler } from 'hono'
import { type AuditTrail, createAuditTrail, getRateLimitRefusal } from '../application/audit.ts'
import type { Dependencies } from '../application/dependencies.ts'
import { recordInteractionCall } from '../application/interactions/interaction-audit.ts'
import type { OpenInteraction } from '../application/interactions/interaction-call.ts'
import type { RequestFacts } from '../application/request.ts'
import type { CountedEndpoint } from '../contract/failed-requests.schema.ts'
import { countFailedRequest } from '../storage/failed-requests.ts'
import { insertLogs } from '../storage/logs.ts'
import { auditedCaller, createBackgroundRunner } from './request-context.ts'

export type AuditVariables = RequestFacts & { audit: AuditTrail }

type AuditOptions<Variables extends object> = {
  /** The endpoint name under which rate-limited calls are counted. */
  endpoint: CountedEndpoint
  applicationOf?(c: Context<{ Variables: Variables }>): string | undefined
  /** Returns the call's open interaction, to whose audit rows special rules apply (spec/storage#interaction-rows). */
  interactionOf?(c: Context<{ Variables: Variables }>): OpenInteraction | undefined
}

/**
 * Creates an audit trail for each call. Entries that were not committed with a change are written after the response.
 */
export function auditTrail<Variables extends AuditVariables>(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { endpoint, applicationOf, interactionOf }: AuditOptions<Variables>,
): MiddlewareHandler<{ Variables: Variables }> {
  return async (c, next) => {
    const { tenantId } = c.var
    const audit = createAuditTrail(
      { now },
      { ...auditedCaller(c), requestId: c.var.requestId, interactionId: () => interactionOf?.(c)?.uid },
    )
    c.set('audit', audit)
    await next()
    const { error } = c
    const open = interactionOf?.(c)
    const rateLimitRefusal = getRateLimitRefusal(error)
    if (rateLimitRefusal) {
      const applicationId = open?.clientId ?? applicationOf?.(c)
      const failedRequest = { applicationId, endpoint, error: rateLimitRefusal.code }
      return createBackgroundRunner(c)(() => countFailedRequest(db, { tenantId, now: now() }, failedRequest))
    }
    if (audit.keys().length === 0) return
    c.set('audited', audit.keys())
    const entries = audit.uncommitted(error)
    if (entries.length === 0) return
    const call = { tenantId, entries, counted: audit.counted(error), error }
    createBackgroundRunner(c)(() =>
      open ? recordInteractionCall({ db, now }, { ...call, open }) : insertLogs(db, tenantId, entries),
    )
  }
}
