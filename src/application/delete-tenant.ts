import { removeSomeUploads } from '../connectors/uploads/r2.ts'
import { invalidInput } from '../contract/invalid-input.ts'
import { DEFAULT_TENANT } from '../contract/product.ts'
import { refuseWith } from '../contract/refused.ts'
import { uploadPrefix } from '../domain/upload-key.ts'
import { commitChange } from '../storage/commit.ts'
import {
  deleteMarkedTenant,
  deleteSomeRows,
  isTenant,
  markDeleted,
  markedTenantsQuery,
} from '../storage/tenant-deletion.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'

type DeletionDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'tenants' | 'interactions' | 'publicDocuments' | 'network'
>

type StepDependencies = Pick<DeletionDependencies, 'db' | 'interactions' | 'publicDocuments' | 'network'>

type TenantDeletion = {
  id: string
  /** The id once more, so that a slip of the hand deletes nothing. */
  confirm: string
  beginAudit(tenantId: string): AuditEntry
  /** The tenant in whose log the deletion is recorded. */
  tenantId: string
}

/**
 * Ends a tenant at once and deletes as much of it as fits into one call (spec/storage#tenant-deletion). What is left is
 * deleted by the same call again, or by the schedule.
 */
export async function deleteTenant(
  dependencies: DeletionDependencies,
  { id, confirm, beginAudit, tenantId }: TenantDeletion,
): Promise<{ id: string; isComplete: boolean }> {
  const { db, now, tenants } = dependencies
  if (id === DEFAULT_TENANT || id === tenantId) refuseWith('auth.forbidden')
  if (confirm !== id) {
    throw invalidInput({
      issues: [{ code: 'custom', path: ['confirm'], message: 'is not the id of the tenant' }],
    })
  }
  const audit = beginAudit(id)
  const { marked } = await commitChange(db, {
    tenantId,
    condition: isTenant(id),
    audit: audit.success(),
    statements: { marked: markDeleted(db, id, now()) },
  })
  if (marked.length === 0) refuseWith('entity.not_found')
  tenants.forget(id)
  return { id, isComplete: await deletionStep(dependencies, id) }
}

/** Batches of one step, each with a statement for each table. */
const MOST_ROUNDS = 10

async function deletionStep(
  { db, interactions, publicDocuments, network }: StepDependencies,
  id: string,
): Promise<boolean> {
  const outside = await Promise.all([
    interactions.of(id).removeSome(),
    publicDocuments.removeSome(id),
    removeSomeUploads(network.assetBucket, uploadPrefix(id)),
  ])
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (!(await deleteSomeRows(db, id))) continue
    if (!outside.every((isDone) => isDone)) return false
    await deleteMarkedTenant(db, id)
    return true
  }
  return false
}

/** Tenants of one scheduled run. */
const MOST_TENANTS = 5

/** Answers how many tenants are gone and how many are not yet. */
export async function continueDeletions(
  dependencies: StepDependencies,
): Promise<{ deleted: number; left: number }> {
  const marked = await markedTenantsQuery(dependencies.db, MOST_TENANTS)
  let deleted = 0
  for (const { id } of marked) if (await deletionStep(dependencies, id)) deleted++
  return { deleted, left: marked.length - deleted }
}
