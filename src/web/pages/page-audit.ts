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
  /** Reports the audit keys to be logged with the request. */
  onAudited(keys: readonly string[]): void
}

/** Creates the audit trail of a request that is handled by a page rather than by the API. */
export function createPageAudit(dependencies: Pick<Dependencies, 'db' | 'now'>, audited: AuditedRequest) {
  const { tenantId, requestId, request, ip, context } = audited
  const userAgent = request.headers.get('user-agent') ?? undefined
  const trail = createAuditTrail(dependencies, { ip, userAgent, requestId, place: getPlace(request) })
  return {
    trail,
    /** Writes the audit rows that were not committed with a change. Called after the response. */
    keepAudit(failure?: Error): void {
      if (trail.keys().length > 0) audited.onAudited(trail.keys())
      const rows = trail.uncommitted(failure)
      if (rows.length > 0)
        runInBackground(context, { requestId }, () => insertLogs(dependencies.db, tenantId, rows))
    },
  }
}
