import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { isClientUrl } from '../contract/applications/unregistered-clients.ts'
import { HOUR } from '../contract/time.ts'
import { truncateText } from '../domain/log-bounds.ts'
import { readTogether } from './batches.ts'
import { ALWAYS_TRUE, type Condition } from './conditions.ts'
import type { Database } from './database.ts'
import { failedRequests } from './tables.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset } from './totals.ts'

const MAX_ERROR_LENGTH = 64

/** Requests that the provider rejected (spec/storage#failed-requests). */
type FailedRequest = {
  /** The requesting application, or undefined if the tenant has no application with the requested id. */
  applicationId: string | undefined
  endpoint: string
  error: string
}

export async function countFailedRequest(
  db: Database,
  { tenantId, now }: { tenantId: string; now: number },
  request: FailedRequest,
): Promise<void> {
  await failedRequestsUpsert(db, { tenantId, now, count: 1, condition: ALWAYS_TRUE }, request)
}

type Counted = { tenantId: string; now: number; count: number; condition: Condition }

/** Increases the count for an hour, application, endpoint and error. Each combination has one row. */
export const failedRequestsUpsert = (
  db: Database,
  { tenantId, now, count, condition }: Counted,
  { applicationId = '', endpoint, error }: FailedRequest,
) =>
  db
    .insert(failedRequests)
    .select(
      // Unregistered clients are omitted: they do not belong to the tenant, and their ids may be long.
      sql`select ${tenantId}, ${now - (now % HOUR)}, ${isClientUrl(applicationId) ? '' : applicationId},
        ${endpoint}, ${truncateText(error, MAX_ERROR_LENGTH)}, ${count} where ${condition}`,
    )
    .onConflictDoUpdate({
      target: [
        failedRequests.tenantId,
        failedRequests.hour,
        failedRequests.applicationId,
        failedRequests.endpoint,
        failedRequests.error,
      ],
      set: { count: sql`${failedRequests.count} + excluded.count` },
    })

/**
 * The filters of the list. Unset fields match everything, and an empty `applicationId` matches requests with unknown
 * client ids.
 */
type FailedRequestFilter = {
  applicationId?: string | undefined
  endpoint?: string | undefined
  error?: string | undefined
}

/** Lists failed requests, newest hour first (spec/management#failed-requests). */
export async function listFailedRequests(
  db: Database,
  tenantId: string,
  { applicationId, endpoint, error, ...page }: PageRange & FailedRequestFilter,
) {
  const condition = and(
    eq(failedRequests.tenantId, tenantId),
    applicationId === undefined ? undefined : eq(failedRequests.applicationId, applicationId),
    endpoint === undefined ? undefined : eq(failedRequests.endpoint, endpoint),
    error === undefined ? undefined : eq(failedRequests.error, error),
  )
  const columns = {
    hour: failedRequests.hour,
    applicationId: sql<string | null>`nullif(${failedRequests.applicationId}, '')`.as('application'),
    endpoint: failedRequests.endpoint,
    error: failedRequests.error,
    count: failedRequests.count,
  }
  const { failures, totals } = await readTogether(db, {
    failures: db
      .select(columns)
      .from(failedRequests)
      .where(condition)
      .orderBy(
        desc(failedRequests.hour),
        asc(failedRequests.applicationId),
        asc(failedRequests.endpoint),
        asc(failedRequests.error),
      )
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    totals: cappedCountQuery(
      db,
      db.select({ hour: failedRequests.hour }).from(failedRequests).where(condition),
    ),
  })
  return { failures, ...cappedTotal(totals[0]?.count ?? 0) }
}
