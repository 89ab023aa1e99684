import { createRoute } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { networkOf } from '../../application/tenant-network.ts'
import { keepUpload, providerProblem } from '../../connectors/uploads/index.ts'
import { UploadFailure } from '../../connectors/uploads/upload.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { StorageProvider } from '../../contract/settings.ts'
import { Upload, Uploaded, UploadStatus } from '../../contract/user-assets.schema.ts'
import { MOST_UPLOAD_BYTES, uploadMimeTypes } from '../../contract/user-assets.ts'
import { maskQuoted } from '../../domain/masking.ts'
import { type ContentType, contentTypeOf } from '../../domain/upload-content.ts'
import { uploadKey } from '../../domain/upload-key.ts'
import { logEvent } from '../../storage/event-log.ts'
import { randomId } from '../../storage/ids.ts'
import { fileBody } from '../bodies.ts'
import { answer } from '../guard.ts'
import type { Guard } from './authentication.ts'
import { note } from './change.ts'
import { always, alwaysWithBody, guarded, guardedRouterFor } from './router.ts'

const tags = ['Uploads']

const statusCall = createRoute({
  method: 'get',
  path: '/service-status',
  tags,
  ...guarded,
  summary: 'Ask whether files can be uploaded, and which',
  responses: { 200: answer('The status', UploadStatus.openapi('UploadStatus')), ...always },
})
const { 413: _tooLarge, ...withFile } = alwaysWithBody
const uploadCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Upload a picture, and learn its address',
  description:
    'The form field `file` holds the picture. What it is, is read from its content: a file that is none of the allowed types, ' +
    'or a drawing that could run script, is `guard.mime_type_not_allowed`, one of more than 8 MiB `guard.file_size_exceeded`.',
  request: {
    body: {
      content: {
        'multipart/form-data': {
          schema: Upload.extend({ file: Upload.shape.file.openapi({ type: 'string', format: 'binary' }) }),
        },
      },
      required: true,
    },
  },
  responses: { 200: answer('Where it is', Uploaded), ...withFile },
})

/** 8 characters of our alphabet: two files of one day and name never meet (contract 8.2). */
const UPLOAD_ID_LENGTH = 8
const PROVIDER_TIMEOUT = 30_000 // ms; ours: eight megabytes over a slow line

/** Pictures for the sign-in pages, kept where the tenant's settings say (contract 8.2, decision record 0015). */
export function userAssetRoutes(dependencies: Dependencies, guard: Guard) {
  const { now, tenantSettings } = dependencies

  const routes = guardedRouterFor(dependencies, guard)
  routes.post('/', fileBody(MOST_UPLOAD_BYTES))
  return routes
    .openapi(statusCall, async (c) => {
      if (!(await providerOf(c.var.tenantId))) return c.json({ status: 'not_configured' as const }, 200)
      return c.json(
        {
          status: 'ready' as const,
          allowUploadMimeTypes: [...uploadMimeTypes],
          maxUploadFileSize: MOST_UPLOAD_BYTES,
        },
        200,
      )
    })
    .openapi(uploadCall, async (c) => {
      const { file } = c.req.valid('form')
      const { tenantId, principal, requestId } = c.var
      if (file.size > MOST_UPLOAD_BYTES) refuseWith('guard.file_size_exceeded')
      const content = new Uint8Array(await file.arrayBuffer())
      const type = isAllowed(file.type) ? contentTypeOf(content) : null
      if (!type) refuseWith('guard.mime_type_not_allowed')
      const provider = await providerOf(tenantId)
      if (!provider) refuseWith('storage.not_configured')

      const key = uploadKey({
        tenantId,
        userId: principal.id,
        id: randomId(UPLOAD_ID_LENGTH),
        fileName: file.name,
        type,
        now: now(),
      })
      note(c, 'Management.UserAsset.Create', { asset: key })
      try {
        const upload = { key, content, headers: servedAs(type) }
        const { allowPrivateTargets } = await tenantSettings.get(tenantId)
        const context = {
          ...networkOf(dependencies, tenantId),
          now,
          timeout: PROVIDER_TIMEOUT,
          allowPrivateTargets,
        }
        return c.json({ url: await keepUpload(provider, upload, context) }, 200)
      } catch (error) {
        if (!(error instanceof UploadFailure)) throw error
        const detail = maskQuoted(error.detail, provider)
        logEvent('upload_failed', { requestId, tenantId, provider: provider.provider, detail })
        refuseWith('storage.upload_error')
      }
    })

  /** None also where one is set that cannot be used. */
  async function providerOf(tenantId: string): Promise<StorageProvider | null> {
    const { storageProvider, allowPrivateTargets } = await tenantSettings.get(tenantId)
    const reach = { allowPrivateTargets, assetBucket: networkOf(dependencies, tenantId).assetBucket }
    return storageProvider && !providerProblem(storageProvider, reach) ? storageProvider : null
  }
}

const isAllowed = (declared: string) =>
  uploadMimeTypes.some((type) => type === declared.split(';', 1)[0]?.trim().toLowerCase())

/** Nothing is ever overwritten. A drawing is shown in a page as any picture is, but opened by itself it is a download. */
const servedAs = (type: ContentType) => ({
  contentType: type,
  contentDisposition: type === 'image/svg+xml' ? 'attachment' : 'inline',
  cacheControl: 'public, max-age=31536000, immutable',
})
