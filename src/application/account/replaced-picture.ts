import { uploadFolder } from '../../domain/experience/upload-key.ts'
import { namesUploads } from '../../storage/experience/uploads-in-use.ts'
import type { Dependencies } from '../dependencies.ts'
import { removeUpload } from '../experience/remove-uploads.ts'

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
    if (await namesUploads(dependencies.db, owner.tenantId, former)) continue
    await removeUpload(dependencies, owner.tenantId, former)
  }
}

const folderOf = (avatar: string | null | undefined, owner: Owner) =>
  typeof avatar === 'string' ? uploadFolder(avatar, owner) : null
