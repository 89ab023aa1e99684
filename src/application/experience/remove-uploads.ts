import { HOUR } from '../../contract/time.ts'
import { uploadFolder, uploadPrefix, userUploadPrefix } from '../../domain/experience/upload-key.ts'
import { maskQuoted } from '../../domain/masking.ts'
import { uploadStorage } from '../../outbound/uploads/index.ts'
import { removeSomeUploads } from '../../outbound/uploads/r2.ts'
import { UploadFailure } from '../../outbound/uploads/upload.ts'
import type { Erasure } from '../../storage/account/erasures.ts'
import { logEvent } from '../../storage/event-log.ts'
import { hasUploadsInUse } from '../../storage/experience/uploads-in-use.ts'
import type { Dependencies } from '../dependencies.ts'
import { tenantNetwork } from '../network-limit.ts'

const CALL_TIMEOUT = 5_000 // ms; ours
/** How long the deletion of a tenant waits for a provider that fails. Ours: it may be mended, and must not last for ever. */
const FAILING_AT_MOST = HOUR // ms

/** `failing` is tried again by the next step; `left` is not. */
export type OwnUploads = 'removed' | 'more' | 'failing' | 'left'

type UploadDependencies = Pick<Dependencies, 'network' | 'now' | 'tenantSettings'>

/** Deletes some of a tenant's uploads in a bucket of its own (spec/storage#tenant-deletion). */
export const removeOwnUploads = (
  dependencies: UploadDependencies,
  { id: tenantId, deletedAt: since }: { id: string; deletedAt: number },
): Promise<OwnUploads> =>
  removeUploadsBelow(dependencies, { tenantId, prefix: uploadPrefix(tenantId), since })

/** The same for those that begin with a prefix. `since` is when it was tried first. */
async function removeUploadsBelow(
  dependencies: UploadDependencies,
  { tenantId, prefix, since }: { tenantId: string; prefix: string; since: number },
): Promise<OwnUploads> {
  const { now, tenantSettings } = dependencies
  const { storageProvider: provider, allowPrivateTargets } = await tenantSettings.get(tenantId)
  // Those in the bucket of the deployment are deleted through its binding.
  if (!provider || provider.provider === 'R2') return 'removed'
  const context = {
    ...tenantNetwork(dependencies, tenantId),
    now,
    timeout: CALL_TIMEOUT,
    allowPrivateTargets,
  }
  try {
    const problem = uploadStorage(provider).problem(context)
    if (problem) throw new UploadFailure({ reason: problem.message })
    return (await uploadStorage(provider).removeSome(prefix, context)) ? 'removed' : 'more'
  } catch (error) {
    if (!(error instanceof UploadFailure)) throw error
    const detail = maskQuoted(error.detail, provider)
    const willRetry = now() - since < FAILING_AT_MOST
    logEvent('upload_not_deleted', { tenantId, provider: provider.provider, detail, willRetry })
    return willRetry ? 'failing' : 'left'
  }
}

/** One that no account shows any more. A failure leaves it, which the log says. */
async function removeUpload(
  dependencies: Pick<Dependencies, 'network' | 'now' | 'tenantSettings'>,
  tenantId: string,
  folder: string,
): Promise<void> {
  const { storageProvider: provider, allowPrivateTargets } = await dependencies.tenantSettings.get(tenantId)
  const network = tenantNetwork(dependencies, tenantId)
  const context = { ...network, now: dependencies.now, timeout: CALL_TIMEOUT, allowPrivateTargets }
  if (!provider || uploadStorage(provider).problem(context)) return
  try {
    await uploadStorage(provider).removeSome(folder, context)
  } catch (error) {
    if (!(error instanceof UploadFailure)) throw error
    const detail = maskQuoted(error.detail, provider)
    logEvent('upload_not_deleted', { tenantId, provider: provider.provider, detail, willRetry: false })
  }
}

type Owner = { tenantId: string; userId: string }

/** What the batch of the change says it replaced: of two at the same time each names another picture. */
type Replaced = Owner & { replaced: readonly { avatar: string | null }[]; avatar: string | null | undefined }

/**
 * The file of a picture that an account had, if it was uploaded for this user and no page of the tenant shows it
 * (spec/account-centre#picture).
 */
export async function removeReplacedPicture(
  dependencies: Pick<Dependencies, 'db' | 'network' | 'now' | 'tenantSettings'>,
  { replaced, avatar, ...owner }: Replaced,
): Promise<void> {
  const present = folderOf(avatar, owner)
  for (const row of replaced) {
    const former = folderOf(row.avatar, owner)
    if (former === null || former === present) continue
    if (await hasUploadsInUse(dependencies.db, owner.tenantId, former)) continue
    await removeUpload(dependencies, owner.tenantId, former)
  }
}

const folderOf = (avatar: string | null | undefined, owner: Owner) =>
  typeof avatar === 'string' ? uploadFolder(avatar, owner) : null

/**
 * Deletes some of the files that a deleted user has uploaded. Pictures that the tenant's pages show stay, with all of that user:
 * they are the tenant's (spec/storage#erasure).
 */
export async function removeUploadsOf(
  dependencies: Pick<Dependencies, 'db' | 'network' | 'now' | 'tenantSettings'>,
  { tenantId, names, createdAt }: Erasure,
): Promise<OwnUploads> {
  const prefix = userUploadPrefix(tenantId, names.id)
  if (await hasUploadsInUse(dependencies.db, tenantId, prefix)) return 'left'
  const own = await removeUploadsBelow(dependencies, { tenantId, prefix, since: createdAt })
  const isDone = await removeSomeUploads(dependencies.network.assetBucket, prefix)
  return own === 'removed' && !isDone ? 'more' : own
}
