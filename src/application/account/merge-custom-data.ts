import { refuseWith } from '../../contract/refused.ts'
import { MOST_CUSTOM_DATA } from '../../contract/users/users.schema.ts'
import { fitsData, mergedData, setDataIf } from '../../storage/account/custom-data.ts'
import { commitChange } from '../../storage/commit.ts'
import type { NewLog } from '../../storage/logs.ts'
import { getUser } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import { withFitFields } from './custom-fields.ts'

type Merge = {
  tenantId: string
  userId: string
  writer: 'user' | 'operator'
  patch: Record<string, unknown>
  audit(): NewLog
}

/** Merges at the first level only. The database does it, so that of any number at the same time all stay, and none is too much. */
export async function mergeCustomData(
  dependencies: Pick<Dependencies, 'db' | 'tenantSettings'>,
  { tenantId, userId, writer, patch, audit }: Merge,
): Promise<Record<string, unknown>> {
  const { db } = dependencies
  const data = mergedData(await withFitFields(dependencies, tenantId, { data: patch, writer }))
  const condition = fitsData(tenantId, userId, { data, most: MOST_CUSTOM_DATA })
  const {
    merged: [merged],
  } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit(),
    statements: { merged: setDataIf(db, tenantId, condition, { id: userId, data }) },
  })
  if (merged) return merged.customData
  if (!(await getUser(db, tenantId, userId))) refuseWith('entity.not_found')
  return refuseWith('guard.invalid_input', undefined, 413)
}
