import { refuseWith } from '../contract/refused.ts'
import { fitsCustomData } from '../contract/users.schema.ts'
import { commitChange } from '../storage/commit.ts'
import type { NewLog } from '../storage/logs.ts'
import { updateUserIf } from '../storage/user-changes.ts'
import { getUser, hasCustomData } from '../storage/users.ts'
import { withFitFields } from './custom-fields.ts'
import type { Dependencies } from './dependencies.ts'

/** How often a merge is repeated because another one came first. */
const MERGE_ATTEMPTS = 5

type Merge = {
  tenantId: string
  userId: string
  writer: 'user' | 'operator'
  patch: Record<string, unknown>
  /** The audit row of the data that is written. */
  audit(customData: Record<string, unknown>): NewLog
}

/**
 * Merges at the first level only. SQL merges at all levels, so the data is merged here and written if it has not changed
 * in the meantime.
 */
export async function mergeCustomData(
  dependencies: Pick<Dependencies, 'db' | 'tenantSettings'>,
  { tenantId, userId, writer, patch, audit }: Merge,
): Promise<Record<string, unknown>> {
  const { db } = dependencies
  const fit = await withFitFields(dependencies, tenantId, { data: patch, writer })
  for (let attempt = 0; attempt < MERGE_ATTEMPTS; attempt++) {
    const user = (await getUser(db, tenantId, userId)) ?? refuseWith('entity.not_found')
    const customData = { ...user.customData, ...fit }
    if (!fitsCustomData(customData)) refuseWith('guard.invalid_input', undefined, 413)

    const condition = hasCustomData(tenantId, userId, user.customData)
    const {
      user: [changed],
    } = await commitChange(db, {
      tenantId,
      condition,
      statements: { user: updateUserIf(db, tenantId, condition, userId, { customData }) },
      audit: audit(customData),
    })
    if (changed) return changed.customData
  }
  return refuseWith('server.unavailable')
}
