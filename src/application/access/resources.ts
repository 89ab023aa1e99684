import { invalidInput } from '../../contract/invalid-input.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { findResourceProblem, findScopeProblem } from '../../domain/access/resource-rules.ts'
import { describeChanges } from '../../domain/audit-changes.ts'
import {
  getResource,
  insertResource,
  isIndicatorFree,
  type NewResource,
  type ResourceChanges,
  type ResourceRow,
  removeResource,
  resourceExists,
  updateResource,
} from '../../storage/access/resources.ts'
import {
  insertScope,
  type NewScope,
  removeScope,
  SCOPE_NAME_CONSTRAINT,
  type ScopeRow,
  scopeExists,
  scopeQuery,
  updateScope,
} from '../../storage/access/scopes.ts'
import { commitChange } from '../../storage/commit.ts'
import { ALWAYS_TRUE, allOf } from '../../storage/conditions.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import { refuseTemplate } from '../applications/application-checks.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseDuplicateId } from '../duplicate-id.ts'

type Store = Pick<Dependencies, 'db'>
type ResourceChange = Guarded & { tenantId: string; id: string; audit: AuditEntry }

export async function createResource(
  { db }: Store,
  { tenantId, audit, resource }: { tenantId: string; audit: AuditEntry; resource: NewResource },
): Promise<ResourceRow> {
  refuseTemplate(resource.claims, 'resource')
  const condition = isIndicatorFree(tenantId, resource.id, resource.indicator)
  const { created } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: { created: insertResource(db, tenantId, resource, condition) },
  }).catch(refuseDuplicateId('resources', resource.id))
  return created[0] ?? refuseTaken()
}

export async function changeResource(
  { db }: Store,
  { tenantId, id, audit, changes, preconditions }: ResourceChange & { changes: ResourceChanges },
): Promise<ResourceRow> {
  throwIfRefused(findResourceProblem(id, changes))
  refuseTemplate(changes.claims, 'resource')
  const { indicator } = changes
  const stored = await findResourceById({ db }, tenantId, id)
  const isFree = indicator === undefined ? ALWAYS_TRUE : isIndicatorFree(tenantId, id, indicator)
  const { changed } = await commitChange(db, {
    tenantId,
    condition: allOf(resourceExists(tenantId, id), isFree),
    preconditions,
    audit: audit.success(describeChanges(stored, { ...stored, ...changes })),
    statements: { changed: updateResource(db, tenantId, { id, changes }, isFree) },
  })
  if (changed[0]) return changed[0]
  return (await getResource(db, tenantId, id))
    ? refuseTaken()
    : refuseWith('entity.not_exists_with_id', { id })
}

/** Deletes a resource together with its scopes. */
export async function deleteResource(
  { db }: Store,
  { tenantId, id, audit, preconditions }: ResourceChange,
): Promise<void> {
  throwIfRefused(findResourceProblem(id, 'delete'))
  const { deleted } = await commitChange(db, {
    tenantId,
    condition: resourceExists(tenantId, id),
    preconditions,
    audit: audit.success(),
    statements: { deleted: removeResource(db, tenantId, id) },
  })
  if (deleted.length === 0) refuseWith('entity.not_found')
}

export const findResourceById = async ({ db }: Store, tenantId: string, id: string): Promise<ResourceRow> =>
  (await getResource(db, tenantId, id)) ?? refuseWith('entity.not_exists_with_id', { id })

/**
 * Rejects an indicator that another resource already has, with the same error as an invalid value
 * (spec/management#resources-api).
 */
function refuseTaken(): never {
  throw invalidInput({ issues: [{ path: ['indicator'], message: 'belongs to another resource' }] })
}

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
    condition: resourceExists(tenantId, resourceId),
    audit: audit.success(),
    statements: { created: insertScope(db, tenantId, scope) },
  }).catch(refuseTakenName(name))
  return created[0] ?? refuseWith('entity.not_exists_with_id', { id: resourceId })
}

export async function changeScope(
  { db }: Store,
  { tenantId, audit, key, changes }: Audited & { key: ScopeKey; changes: ScopeBody },
): Promise<ScopeRow> {
  throwIfRefused(findScopeProblem(key.id, changes))
  refuseSpaces(changes.name)
  const [stored] = await scopeQuery(db, tenantId, key)
  const { changed } = await commitChange(db, {
    tenantId,
    condition: scopeExists(tenantId, key),
    audit: audit.success(stored && describeChanges(stored, { ...stored, ...changes })),
    statements: { changed: updateScope(db, tenantId, { ...key, ...changes }) },
  }).catch(refuseTakenName(changes.name))
  return changed[0] ?? refuseWith('entity.not_exists_with_id', { id: key.id })
}

export async function deleteScope(
  { db }: Store,
  { tenantId, audit, key }: Audited & { key: ScopeKey },
): Promise<void> {
  throwIfRefused(findScopeProblem(key.id, 'delete'))
  const { deleted } = await commitChange(db, {
    tenantId,
    condition: scopeExists(tenantId, key),
    audit: audit.success(),
    statements: { deleted: removeScope(db, tenantId, key) },
  })
  if (deleted.length === 0) refuseWith('entity.not_found')
}

/**
 * Rejects a scope name with a space. Scope lists are separated by spaces (RFC 6749 §3.3), so the name would be read as
 * two scopes.
 */
function refuseSpaces(name: string): void {
  if (/\s/.test(name)) refuseWith('scope.name_with_space')
}

const refuseTakenName =
  (name: string) =>
  (error: unknown): never => {
    if (isUniqueViolation(error) === SCOPE_NAME_CONSTRAINT) refuseWith('scope.name_exists', { name })
    throw error
  }
