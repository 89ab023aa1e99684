import type { Context, MiddlewareHandler } from 'hono'
import { type AuditTrail, createAuditTrail, refusedByRateLimit } from '../application/audit-trail.ts'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import type { CountedEndpoint } from '../contract/failed-requests.schema.ts'
import { isRecord } from '../contract/is-record.ts'
import { countFailedRequest } from '../storage/failed-requests.ts'
import { insertInteractionLogs } from '../storage/interaction-logs.ts'
import { insertLogs } from '../storage/logs.ts'
import { backgroundOf, callerOf } from './request-context.ts'

export type AuditVariables = RequestFacts & { audit: AuditTrail }

/** The names of the given fields, those of a profile one by one. Never values. */
export const changedNames = (given: object): string[] =>
  Object.entries(given).flatMap(([name, value]) =>
    name === 'profile' && isRecord(value) ? Object.keys(value).map((key) => `profile.${key}`) : [name],
  )

type Audited<Variables extends object> = {
  /** Under which calls that a rate limit refuses are counted. */
  endpoint: CountedEndpoint
  applicationOf?(c: Context<{ Variables: Variables }>): string | undefined
  /** Calls of an interaction share their rows (spec/storage#interaction-rows). */
  interactionOf?(c: Context<{ Variables: Variables }>): string | undefined
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
      { ...callerOf(c), requestId: c.var.requestId, interactionId: () => interactionOf?.(c) },
    )
    c.set('audit', audit)
    await next()
    const limited = refusedByRateLimit(c.error)
    if (limited) {
      const refused = { applicationId: applicationOf?.(c), endpoint, error: limited.code }
      return backgroundOf(c)(() => countFailedRequest(db, { tenantId, now: now() }, refused))
    }
    if (audit.keys().length > 0) c.set('audited', audit.keys())
    const rows = audit.uncommitted(c.error)
    const interactionId = interactionOf?.(c)
    if (rows.length === 0) return
    backgroundOf(c)(() =>
      interactionId === undefined
        ? insertLogs(db, tenantId, rows)
        : insertInteractionLogs(db, tenantId, interactionId, rows),
    )
  }
}
