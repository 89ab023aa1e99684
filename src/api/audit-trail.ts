import type { MiddlewareHandler } from 'hono'
import { type AuditTrail, createAuditTrail } from '../application/audit-trail.ts'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { insertLogs } from '../storage/logs.ts'
import { backgroundOf } from './request-context.ts'

export type AuditVariables = RequestFacts & { audit: AuditTrail }

/** Gives each call its audit trail. Entries that no change has committed are written after the answer. */
export function auditTrail({
  db,
  now,
}: Pick<Dependencies, 'db' | 'now'>): MiddlewareHandler<{ Variables: AuditVariables }> {
  return async (c, next) => {
    const { ip, tenantId } = c.var
    const audit = createAuditTrail({ now }, { ip, userAgent: c.req.header('user-agent') })
    c.set('audit', audit)
    await next()
    if (audit.keys().length > 0) c.set('audited', audit.keys())
    const rows = audit.uncommitted(c.error)
    if (rows.length > 0) backgroundOf(c)(() => insertLogs(db, tenantId, rows))
  }
}
