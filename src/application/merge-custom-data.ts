import type { SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { refuseWith } from '../contract/refused.ts'
import { fitsCustomData } from '../contract/users.schema.ts'
import { getUser, hasCustomData, updateUserIf } from '../storage/users.ts'
import type { Dependencies } from './dependencies.ts'

/** How often a merge begins again because somebody else was faster. */
const MERGE_ATTEMPTS = 5

type Merge = {
  tenantId: string
  userId: string
  patch: Record<string, unknown>
  /** The audit row of what is written, for the batch of the change. */
  auditRow(customData: Record<string, unknown>, condition: SQL): BatchItem<'sqlite'>
}

/** At the first level only, which SQL's merge is not: so it happens here, if nobody else changed them meanwhile. */
export async function mergeCustomData(
  { db }: Dependencies,
  { tenantId, userId, patch, auditRow }: Merge,
): Promise<Record<string, unknown>> {
  for (let attempt = 0; attempt < MERGE_ATTEMPTS; attempt++) {
    const user = (await getUser(db, tenantId, userId)) ?? refuseWith('entity.not_found')
    const customData = { ...user.customData, ...patch }
    if (!fitsCustomData(customData)) refuseWith('guard.invalid_input', undefined, 413)

    const condition = hasCustomData(tenantId, userId, user.customData)
    const [, [changed]] = await db.batch([
      auditRow(customData, condition),
      updateUserIf(db, tenantId, condition, userId, { customData }),
    ])
    if (changed) return changed.customData
  }
  return refuseWith('server.unavailable')
}
