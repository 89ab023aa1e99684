import { BRAND_PICTURE_MAX_BYTES } from '../../contract/experience/brand-pictures.ts'
import { MAX_UPLOAD_BYTES, uploadMimeTypes } from '../../contract/experience/user-assets.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { StorageProvider } from '../../contract/tenants/settings.ts'
import { brandPictureName, brandPicturePath } from '../../domain/experience/brand-picture.ts'
import {
  type ContentType,
  detectContentType,
  findForbiddenPart,
} from '../../domain/experience/upload-content.ts'
import { uploadKey } from '../../domain/experience/upload-key.ts'
import { maskQuotedSecrets } from '../../domain/masking.ts'
import { createUploadStorage } from '../../outbound/uploads/index.ts'
import { UploadFailure } from '../../outbound/uploads/upload.ts'
import { commitChange } from '../../storage/commit.ts'
import { fileDigest } from '../../storage/digest.ts'
import { logEvent } from '../../storage/event-log.ts'
import { fitsPictureQuota, storeBrandPicture } from '../../storage/experience/brand-pictures.ts'
import { randomId } from '../../storage/ids.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { tenantNetwork } from '../network-limit.ts'

type UploadDependencies = Pick<Dependencies, 'now' | 'network' | 'tenantSettings'>

type Upload = {
  tenantId: string
  requestId: string
  /** The id of the user or application that uploads the file. */
  uploaderId: string
  file: File
  beginAudit(key: string): AuditEntry
}

/**
 * The number of random characters in a key, which distinguish files with the same date and name
 * (spec/connectors#upload-keys).
 */
const UPLOAD_ID_LENGTH = 8
const PROVIDER_TIMEOUT = 30_000 // ms; enough for eight megabytes over a slow connection

/** Stores a picture with the tenant's storage provider and returns its URL (ADR-0015). */
export async function storeUpload(dependencies: UploadDependencies, upload: Upload): Promise<string> {
  return storeInBucket(dependencies, upload, await readPicture(upload.file))
}

type StoredPicture = {
  url: string
  /** The path of a picture in the database, which every host of the tenant serves. */
  path?: string
}

/**
 * Stores a picture of the brand: a small one in the database, as long as the quota of the tenant allows it, and any
 * other one with the tenant's storage provider (ADR-0180). `origin` is the origin of the host that serves pictures of
 * the database.
 */
export async function storeBrandUpload(
  dependencies: UploadDependencies & Pick<Dependencies, 'db' | 'brandPictures'>,
  upload: Upload & { origin: string },
): Promise<StoredPicture> {
  const { db, now, brandPictures } = dependencies
  const { tenantId, file, origin, beginAudit } = upload
  const picture = await readPicture(file)
  const { content, type } = picture
  if (content.byteLength > BRAND_PICTURE_MAX_BYTES)
    return { url: await storeInBucket(dependencies, upload, picture) }

  const name = brandPictureName(await fileDigest(content), type)
  const path = brandPicturePath(name)
  const audit = beginAudit(path)
  const { stored } = await commitChange(db, {
    tenantId,
    condition: fitsPictureQuota(tenantId, { name, content }),
    audit: audit.success(),
    statements: { stored: storeBrandPicture(db, tenantId, { name, content, now: now() }) },
  })
  if (stored.length > 0) {
    brandPictures.forget(tenantId)
    return { url: origin + path, path }
  }
  if (!(await findStorageProvider(dependencies, tenantId))) refuseWith('storage.quota_exceeded')
  return { url: await storeInBucket(dependencies, upload, picture) }
}

type Picture = { content: Uint8Array<ArrayBuffer>; type: ContentType }

/** Reads an uploaded file. Rejects files that are too large or not pictures (spec/connectors#upload-content). */
async function readPicture(file: File): Promise<Picture> {
  if (file.size > MAX_UPLOAD_BYTES) refuseWith('guard.file_size_exceeded')
  const content = new Uint8Array(await file.arrayBuffer())
  const type = isAllowedType(file.type) ? detectContentType(content) : null
  if (type) return { content, type }
  const forbidden = findForbiddenPart(content)
  return refuseWith('guard.mime_type_not_allowed', forbidden === null ? undefined : { forbidden })
}

async function storeInBucket(
  dependencies: UploadDependencies,
  { tenantId, requestId, uploaderId, file, beginAudit }: Upload,
  { content, type }: Picture,
): Promise<string> {
  const { now, tenantSettings } = dependencies
  const provider = await findStorageProvider(dependencies, tenantId)
  if (!provider) refuseWith('storage.not_configured')

  const id = randomId(UPLOAD_ID_LENGTH)
  const key = uploadKey({ tenantId, userId: uploaderId, id, fileName: file.name, type, now: now() })
  beginAudit(key)
  const { allowPrivateTargets } = await tenantSettings.get(tenantId)
  const network = tenantNetwork(dependencies, tenantId)
  const context = { ...network, now, timeout: PROVIDER_TIMEOUT, allowPrivateTargets }
  try {
    return await createUploadStorage(provider).put({ key, content, headers: headersOf(type) }, context)
  } catch (error) {
    if (!(error instanceof UploadFailure)) throw error
    const detail = maskQuotedSecrets(error.detail, provider)
    logEvent('upload_failed', { requestId, tenantId, provider: provider.provider, detail })
    return refuseWith('storage.upload_error')
  }
}

/** Returns the tenant's storage provider, or null if none is configured or its settings cannot be used. */
export async function findStorageProvider(
  dependencies: UploadDependencies,
  tenantId: string,
): Promise<StorageProvider | null> {
  const { storageProvider, allowPrivateTargets } = await dependencies.tenantSettings.get(tenantId)
  const reach = { allowPrivateTargets, assetBucket: tenantNetwork(dependencies, tenantId).assetBucket }
  return storageProvider && !createUploadStorage(storageProvider).problem(reach) ? storageProvider : null
}

const isAllowedType = (declared: string) =>
  uploadMimeTypes.some((type) => type === declared.split(';', 1)[0]?.trim().toLowerCase())

/**
 * Files may be cached forever, because keys are never reused. An SVG file can contain scripts, so browsers download it
 * instead of displaying it when its URL is opened directly.
 */
const headersOf = (type: ContentType) => ({
  contentType: type,
  contentDisposition: type === 'image/svg+xml' ? 'attachment' : 'inline',
  cacheControl: 'public, max-age=31536000, immutable',
})
