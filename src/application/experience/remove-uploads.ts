import { HOUR } from '../../contract/time.ts'
import { uploadFolder, uploadPrefix, userUploadPrefix } from '../../domain/experience/upload-key.ts'
import { maskQuotedSecrets } from '../../domain/masking.ts'
import { createUploadStorage } from '../../outbound/uploads/index.ts'
import { deleteSomeUploads } from '../../outbound/uploads/r2.ts'
import { UploadFailure } from '../../outbound/uploads/upload.ts'
import type { Erasure } from '../../storage/account/erasures.ts'
import { logEvent } from '../../storage/event-log.ts'
import { hasUploadsInUse } from '../../storage/experience/uploads-in-use.ts'
import type { Dependencies } from '../dependencies.ts'
import { tenantNetwork } from '../network-limit.ts'

const CALL_TIMEOUT = 5_000 // ms; our choice
/**
 * The time for which a tenant deletion keeps retrying a failing storage provider, in case it recovers. There is a
 * limit, because every deletion has to end at some point. We chose the value.
 */
const RETRY_WINDOW = HOUR // ms

/** The outcome of a step. After `failing`, the next step retries; after `left`, the remaining uploads are kept. */
export type UploadRemovalResult = 'removed' | 'more' | 'failing' | 'left'

type UploadDependencies = Pick<Dependencies, 'network' | 'now' | 'tenantSettings'>

/** Deletes some of the uploads in a tenant's own bucket (spec/storage#tenant-deletion). */
export const removeOwnUploads = (
  dependencies: UploadDependencies,
  { id: tenantId, deletedAt: since }: { id: string; deletedAt: number },
): Promise<UploadRemovalResult> =>
  removeUploadsBelow(dependencies, { tenantId, prefix: uploadPrefix(tenantId), since })

/** Deletes some of the uploads whose keys begin with a prefix. `since` is the time of the first attempt. */
async function removeUploadsBelow(
  dependencies: UploadDependencies,
  { tenantId, prefix, since }: { tenantId: string; prefix: string; since: number },
): Promise<UploadRemovalResult> {
  const { now, tenantSettings } = dependencies
  const { storageProvider: provider, allowPrivateTargets } = await tenantSettings.get(tenantId)
  // Uploads in the deployment's own bucket are deleted through its binding.
  if (!provider || provider.provider === 'R2') return 'removed'
  const context = {
    ...tenantNetwork(dependencies, tenantId),
    now,
    timeout: CALL_TIMEOUT,
    allowPrivateTargets,
  }
  try {
    const problem = createUploadStorage(provider).problem(context)
    if (problem) throw new UploadFailure({ reason: problem.message })
    return (await createUploadStorage(provider).removeSome(prefix, context)) ? 'removed' : 'more'
  } catch (error) {
    if (!(error instanceof UploadFailure)) throw error
    const detail = maskQuotedSecrets(error.detail, provider)
    const willRetry = now() - since < RETRY_WINDOW
    logEvent('upload_not_deleted', { tenantId, provider: provider.provider, detail, willRetry })
    return willRetry ? 'failing' : 'left'
  }
}

/** Deletes an upload that no account references any more. On failure, logs the error and leaves the upload in place. */
async function removeUpload(
  dependencies: Pick<Dependencies, 'network' | 'now' | 'tenantSettings'>,
  tenantId: string,
  folder: string,
): Promise<void> {
  const { storageProvider: provider, allowPrivateTargets } = await dependencies.tenantSettings.get(tenantId)
  const network = tenantNetwork(dependencies, tenantId)
  const context = { ...network, now: dependencies.now, timeout: CALL_TIMEOUT, allowPrivateTargets }
  if (!provider || createUploadStorage(provider).problem(context)) return
  try {
    await createUploadStorage(provider).removeSome(folder, context)
  } catch (error) {
    if (!(error instanceof UploadFailure)) throw error
    const detail = maskQuotedSecrets(error.detail, provider)
    logEvent('upload_not_deleted', { tenantId, provider: provider.provider, detail, willRetry: false })
  }
}

type Owner = { tenantId: string; userId: string }

/**
 * The pictures that a batch has replaced. If two changes replace the same picture concurrently, only one of them lists
 * it.
 */
type Replaced = Owner & { replaced: readonly { avatar: string | null }[]; avatar: string | null | undefined }

/**
 * Deletes the file of an account's previous picture, provided that it was uploaded for this user and no page of the
 * tenant uses it (spec/account-centre#picture).
 */
export async function removeReplacedPicture(
  dependencies: Pick<Dependencies, 'db' | 'network' | 'now' | 'tenantSettings'>,
  { replaced, avatar, ...owner }: Replaced,
): Promise<void> {
  const current = folderOf(avatar, owner)
  for (const row of replaced) {
    const former = folderOf(row.avatar, owner)
    if (former === null || former === current) continue
    if (await hasUploadsInUse(dependencies.db, owner.tenantId, former)) continue
    await removeUpload(dependencies, owner.tenantId, former)
  }
}

const folderOf = (avatar: string | null | undefined, owner: Owner) =>
  typeof avatar === 'string' ? uploadFolder(avatar, owner) : null

/**
 * Deletes some of a deleted user's uploads. If the tenant's pages use any of the user's files, all of them are kept
 * (spec/storage#erasure).
 */
export async function removeUserUploads(
  dependencies: Pick<Dependencies, 'db' | 'network' | 'now' | 'tenantSettings'>,
  { tenantId, names, createdAt }: Erasure,
): Promise<UploadRemovalResult> {
  const prefix = userUploadPrefix(tenantId, names.id)
  if (await hasUploadsInUse(dependencies.db, tenantId, prefix)) return 'left'
  const own = await removeUploadsBelow(dependencies, { tenantId, prefix, since: createdAt })
  const isDone = await deleteSomeUploads(dependencies.network.assetBucket, prefix)
  return own === 'removed' && !isDone ? 'more' : own
}
