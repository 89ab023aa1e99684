import { refuseWith } from '../contract/refused.ts'
import { isUniqueViolation } from '../storage/database.ts'

type Table = 'applications' | 'hooks' | 'resources' | 'roles'

/** Refuses an id of the operator's choice that another entry has (spec/management#own-ids). The database decides. */
export const refuseDuplicateId =
  (table: Table, id: string) =>
  (error: unknown): never => {
    if (isUniqueViolation(error) === `${table}.tenant_id, ${table}.id`) refuseWith('entity.id_in_use', { id })
    throw error
  }
