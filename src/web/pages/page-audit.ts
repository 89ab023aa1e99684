import { createAuditTrail } from '../../application/audit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { placeOf } from '../../domain/place.ts'
import { type BackgroundContext, runInBackground } from '../../storage/background.ts'
import { insertLogs } from '../../storage/logs.ts'

type Audited = {
  tenantId: string
  requestId: string
  request: Request
  ip: string | undefined
  context: BackgroundContext
  /** For the line of the request in the log. */
  onAudited(keys: readonly string[]): void
}

/** The audit entries of a request that a page answers, not the API. */
export function pageAudit(dependencies: Pick<Dependencies, 'db' | 'now'>, audited: Audited) {
  const { tenantId, requestId, request, ip, context } = audited
  const userAgent = request.headers.get('user-agent') ?? undefined
  const trail = createAuditTrail(dependencies, { ip, userAgent, requestId, place: placeOf(request) })
  return {
    trail,
    /** Writes, after the answer, the rows that no change has committed. */
    keepAudit(failure?: Error): void {
      if (trail.keys().length > 0) audited.onAudited(trail.keys())
      const rows = trail.uncommitted(failure)
      if (rows.length > 0)
        runInBackground(context, { requestId }, () => insertLogs(dependencies.db, tenantId, rows))
    },
  }
}
