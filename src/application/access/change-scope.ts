import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { scopeProblem } from '../../domain/access/resource-rules.ts'
import { isResource } from '../../storage/access/resources.ts'
import {
  insertScope,
  isScope,
  type NewScope,
  removeScope,
  SCOPE_NAME_TAKEN,
  type ScopeRow,
  updateScope,
} from '../../storage/access/scopes.ts'
import { commitChange } from '../../storage/commit.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'

type Store = Pick<Dependencies, 'db'>
type ScopeKey = Pick<ScopeRow, 'resourceId' | 'id'>
type ScopeBody = Pick<ScopeRow, 'name' | 'description'>
type Audited = { tenantId: string; audit: AuditEntry }

export async function createScope(
  { db }: Store,
  { tenantId, audit, scope }: Audited & { scope: NewScope },
): Promise<ScopeRow> {
  const { resourceId, name } = scope
  refuseSpaces(name)
  const { created } = await commitChange(db, {
    tenantId,
    condition: isResource(tenantId, resourceId),
    audit: audit.success(),
    statements: { created: insertScope(db, tenantId, scope) },
  }).catch(refuseTakenName(name))
  return created[0] ?? refuseWith('entity.not_exists_with_id', { id: resourceId })
}

export async function changeScope(
  { db }: Store,
  { tenantId, audit, key, changes }: Audited & { key: ScopeKey; changes: ScopeBody },
): Promise<ScopeRow> {
  orRefuse(scopeProblem(key.id, changes))
  refuseSpaces(changes.name)
  const { changed } = await commitChange(db, {
    tenantId,
    condition: isScope(tenantId, key),
    audit: audit.success(),
    statements: { changed: updateScope(db, tenantId, { ...key, ...changes }) },
  }).catch(refuseTakenName(changes.name))
  return changed[0] ?? refuseWith('entity.not_exists_with_id', { id: key.id })
}

export async function deleteScope(
  { db }: Store,
  { tenantId, audit, key }: Audited & { key: ScopeKey },
): Promise<void> {
  orRefuse(scopeProblem(key.id, 'delete'))
  const { deleted } = await commitChange(db, {
    tenantId,
    condition: isScope(tenantId, key),
    audit: audit.success(),
    statements: { deleted: removeScope(db, tenantId, key) },
  })
  if (deleted.length === 0) refuseWith('entity.not_found')
}

/** A list of scopes is separated by spaces (RFC 6749 §3.3), so a name with a space would be two. */
function refuseSpaces(name: string): void {
  if (/\s/.test(name)) refuseWith('scope.name_with_space')
}

const refuseTakenName =
  (name: string) =>
  (error: unknown): never => {
    if (isUniqueViolation(error) === SCOPE_NAME_TAKEN) refuseWith('scope.name_exists', { name })
    throw error
  }
