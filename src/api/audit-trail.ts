import type { Context, MiddlewareHandler } from 'hono'
import { type AuditTrail, createAuditTrail, refusedByRateLimit } from '../application/audit.ts'
import type { Dependencies } from '../application/dependencies.ts'
import { recordInteractionCall } from '../application/interactions/interaction-audit.ts'
import type { OpenInteraction } from '../application/interactions/interaction-call.ts'
import type { RequestFacts } from '../application/request.ts'
import type { CountedEndpoint } from '../contract/failed-requests.schema.ts'
import { countFailedRequest } from '../storage/failed-requests.ts'
import { insertLogs } from '../storage/logs.ts'
import { backgroundOf, callerOf } from './request-context.ts'

export type AuditVariables = RequestFacts & { audit: AuditTrail }

type Audited<Variables extends object> = {
  /** Under which calls that a rate limit refuses are counted. */
  endpoint: CountedEndpoint
  applicationOf?(c: Context<{ Variables: Variables }>): string | undefined
  /** The calls of an interaction have rows of their own (spec/storage#interaction-rows). */
  interactionOf?(c: Context<{ Variables: Variables }>): OpenInteraction | undefined
}

/** Gives each call its audit trail. Entries that no change has committed are written after the answer. */
export function auditTrail<Variables extends AuditVariables>(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { endpoint, applicationOf, interactionOf }: Audited<Variables>,
): MiddlewareHandler<{ Variables: Variables }> {
  return async (c, next) => {
    const { tenantId } = c.var
    const audit = createAuditTrail(
      { now },
      { ...callerOf(c), requestId: c.var.requestId, interactionId: () => interactionOf?.(c)?.uid },
    )
    c.set('audit', audit)
    await next()
    const { error } = c
    const open = interactionOf?.(c)
    const limited = refusedByRateLimit(error)
    if (limited) {
      const applicationId = open?.clientId ?? applicationOf?.(c)
      const refused = { applicationId, endpoint, error: limited.code }
      return backgroundOf(c)(() => countFailedRequest(db, { tenantId, now: now() }, refused))
    }
    if (audit.keys().length === 0) return
    c.set('audited', audit.keys())
    const entries = audit.uncommitted(error)
    if (entries.length === 0) return
    const call = { tenantId, entries, counted: audit.counted(error), error }
    backgroundOf(c)(() =>
      open ? recordInteractionCall({ db, now }, { ...call, open }) : insertLogs(db, tenantId, entries),
    )
  }
}
