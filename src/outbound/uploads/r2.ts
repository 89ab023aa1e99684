import { joinUrl, type ProviderOf, type UploadContext, UploadFailure, type UploadStorage } from './upload.ts'

/** Stores uploads in Cloudflare R2 through the binding `ASSET_BUCKET`. They are served from the bucket's public URL. */
export const r2Storage = ({ publicUrl }: ProviderOf<'R2'>): UploadStorage => ({
  problem: ({ assetBucket }) =>
    assetBucket ? null : { field: 'provider', message: 'needs the R2 binding ASSET_BUCKET' },

  async put({ key, content, headers }, { assetBucket }) {
    if (!assetBucket) throw new UploadFailure({ reason: 'there is no binding ASSET_BUCKET' })
    try {
      await assetBucket.put(key, content, { httpMetadata: headers })
    } catch (error) {
      throw new UploadFailure({ reason: String(error) })
    }
    return joinUrl(publicUrl, key)
  },

  removeSome: (prefix, { assetBucket }) => deleteSomeUploads(assetBucket, prefix),
})

/** The number of objects that are deleted in one call to R2. */
const MAX_REMOVED = 500

/**
 * Deletes some of the objects whose keys begin with the prefix. Returns true if none are left or there is no
 * bucket.
 */
export async function deleteSomeUploads(
  assetBucket: UploadContext['assetBucket'],
  prefix: string,
): Promise<boolean> {
  if (!assetBucket) return true
  const { objects, truncated } = await assetBucket.list({ prefix, limit: MAX_REMOVED })
  if (objects.length > 0) await assetBucket.delete(objects.map(({ key }) => key))
  return !truncated
}
