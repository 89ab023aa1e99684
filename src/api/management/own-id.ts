import { refuseWith } from '../../contract/refused.ts'
import { isUniqueViolation } from '../../storage/database.ts'

type Table = 'applications' | 'hooks' | 'resources' | 'roles'

/** An id an operator chose, and another entry has: the database knows best, and two at once hear the same (decision 14). */
export const asIdTaken =
  (table: Table, id: string) =>
  (error: unknown): never => {
    if (isUniqueViolation(error) === `${table}.tenant_id, ${table}.id`) refuseWith('entity.id_in_use', { id })
    throw error
  }
