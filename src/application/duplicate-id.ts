import { refuseWith } from '../contract/refused.ts'
import { isUniqueViolation } from '../storage/database.ts'

type Table =
  | 'applications'
  | 'hooks'
  | 'organization_roles'
  | 'organization_scopes'
  | 'organizations'
  | 'resources'
  | 'roles'

/**
 * Turns a violated unique constraint into the error for an operator-chosen id that is already taken
 * (spec/management#own-ids).
 */
export const refuseDuplicateId =
  (table: Table, id: string) =>
  (error: unknown): never => {
    if (isUniqueViolation(error) === `${table}.tenant_id, ${table}.id`) refuseWith('entity.id_in_use', { id })
    throw error
  }
