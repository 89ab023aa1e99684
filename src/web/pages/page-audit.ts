import { createAuditTrail } from '../../application/audit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { getPlace } from '../../domain/place.ts'
import { type BackgroundContext, runInBackground } from '../../storage/background.ts'
import { insertLogs } from '../../storage/logs.ts'

type AuditedRequest = {
  tenantId: string
  requestId: string
  request: Request
  ip: string | undefined
  context: BackgroundContext
  /** Reports the audit keys for the request's line in the log. */
  onAudited(keys: readonly string[]): void
}

/** Creates the audit trail of a request that a page handles instead of the API. */
export function pageAudit(dependencies: Pick<Dependencies, 'db' | 'now'>, audited: AuditedRequest) {
  const { tenantId, requestId, request, ip, context } = audited
  const userAgent = request.headers.get('user-agent') ?? undefined
  const trail = createAuditTrail(dependencies, { ip, userAgent, requestId, place: getPlace(request) })
  return {
    trail,
    /** Writes, after the response, the rows that were not committed with a change. */
    keepAudit(failure?: Error): void {
      if (trail.keys().length > 0) audited.onAudited(trail.keys())
      const rows = trail.uncommitted(failure)
      if (rows.length > 0)
        runInBackground(context, { requestId }, () => insertLogs(dependencies.db, tenantId, rows))
    },
  }
}
