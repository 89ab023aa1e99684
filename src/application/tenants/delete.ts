import { invalidInput } from '../../contract/invalid-input.ts'
import { DEFAULT_TENANT } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { uploadPrefix } from '../../domain/experience/upload-key.ts'
import { deleteSomeUploads } from '../../outbound/uploads/r2.ts'
import { commitChange } from '../../storage/commit.ts'
import {
  deleteMarkedTenant,
  deleteSomeRows,
  findMarkedTenants,
  type MarkedTenant,
  markDeleted,
  tenantRowExists,
} from '../../storage/tenants/tenant-deletion.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { removeOwnUploads } from '../experience/remove-uploads.ts'

type DeletionDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'tenants' | 'interactions' | 'publicDocuments' | 'network' | 'tenantSettings'
>

type StepDependencies = Omit<DeletionDependencies, 'tenants'>

type TenantDeletion = {
  id: string
  /** The tenant id again, as a confirmation, so that no tenant is deleted by accident. */
  confirm: string
  beginAudit(tenantId: string): AuditEntry
  /** The id of the tenant whose audit log records the deletion. */
  tenantId: string
}

/**
 * Shuts a tenant down immediately and deletes as much of its data as one call can (spec/storage#tenant-deletion).
 * Further calls or scheduled maintenance delete the rest.
 */
export async function deleteTenant(
  dependencies: DeletionDependencies,
  { id, confirm, beginAudit, tenantId }: TenantDeletion,
): Promise<{ id: string } & Step> {
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
    condition: tenantRowExists(id),
    audit: audit.success(),
    statements: { marked: markDeleted(db, id, now()) },
  })
  const [tenant] = marked
  if (!tenant) refuseWith('entity.not_found')
  tenants.forget(id)
  return { id, ...(await deletionStep(dependencies, tenant)) }
}

/** The number of batches in one step. Each has one statement per table. */
const MAX_ROUNDS = 10

type Step = {
  isComplete: boolean
  /** True if uploads remain because the tenant's own storage provider was unreachable or refused to delete them. */
  uploadsLeft: boolean
}

async function deletionStep(dependencies: StepDependencies, tenant: MarkedTenant): Promise<Step> {
  const { db, interactions, publicDocuments, network } = dependencies
  const { id } = tenant
  const [own, ...others] = await Promise.all([
    removeOwnUploads(dependencies, tenant),
    interactions.of(id).removeSome(),
    publicDocuments.removeSome(id),
    deleteSomeUploads(network.assetBucket, uploadPrefix(id)),
  ])
  const uploadsLeft = own === 'failing' || own === 'left'
  const isOutsideDone = (own === 'removed' || own === 'left') && others.every((isDone) => isDone)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (!(await deleteSomeRows(db, id))) continue
    if (!isOutsideDone) return { isComplete: false, uploadsLeft }
    await deleteMarkedTenant(db, id)
    return { isComplete: true, uploadsLeft }
  }
  return { isComplete: false, uploadsLeft }
}

/** The number of tenants that one scheduled run deletes. */
const MAX_TENANTS = 5

/**
 * Continues deleting tenants. Returns the number of tenants that are now completely deleted, and the number of those
 * that are not.
 */
export async function continueDeletions(
  dependencies: StepDependencies,
): Promise<{ deleted: number; left: number }> {
  const marked = await findMarkedTenants(dependencies.db, MAX_TENANTS)
  let deleted = 0
  for (const tenant of marked) if ((await deletionStep(dependencies, tenant)).isComplete) deleted++
  return { deleted, left: marked.length - deleted }
}
