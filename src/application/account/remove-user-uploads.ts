import { userUploadPrefix } from '../../domain/experience/upload-key.ts'
import { removeSomeUploads } from '../../outbound/uploads/r2.ts'
import type { Erasure } from '../../storage/account/erasures.ts'
import { namesUploads } from '../../storage/experience/uploads-in-use.ts'
import type { Dependencies } from '../dependencies.ts'
import { type OwnUploads, removeUploadsBelow } from '../experience/remove-uploads.ts'

export type { OwnUploads }

/**
 * Deletes some of the files that a deleted user has uploaded. Pictures that the tenant's pages show stay, with all of that user:
 * they are the tenant's (spec/storage#erasure).
 */
export async function removeUploadsOf(
  dependencies: Pick<Dependencies, 'db' | 'network' | 'now' | 'tenantSettings'>,
  { tenantId, names, createdAt }: Erasure,
): Promise<OwnUploads> {
  const prefix = userUploadPrefix(tenantId, names.id)
  if (await namesUploads(dependencies.db, tenantId, prefix)) return 'left'
  const own = await removeUploadsBelow(dependencies, { tenantId, prefix, since: createdAt })
  const isDone = await removeSomeUploads(dependencies.network.assetBucket, prefix)
  return own === 'removed' && !isDone ? 'more' : own
}
