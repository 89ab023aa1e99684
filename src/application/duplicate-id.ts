import { refuseWith } from '../contract/refused.ts'
import { isUniqueViolation } from '../storage/database.ts'

type Table = 'applications' | 'hooks' | 'resources' | 'roles'

/**
 * Turns a violated unique constraint into a refusal when the id that the operator chose is taken
 * (spec/management#own-ids).
 */
export const refuseDuplicateId =
  (table: Table, id: string) =>
  (error: unknown): never => {
    if (isUniqueViolation(error) === `${table}.tenant_id, ${table}.id`) refuseWith('entity.id_in_use', { id })
    throw error
  }
