import type { Dependencies } from '../../../application/dependencies.ts'
import { findStorageProvider, storeBrandUpload } from '../../../application/experience/store-upload.ts'
import { BRAND_PICTURE_MAX_BYTES } from '../../../contract/experience/brand-pictures.ts'
import { UploadedFile, UploadForm, UploadStatus } from '../../../contract/experience/user-assets.schema.ts'
import { MAX_UPLOAD_BYTES, uploadMimeTypes } from '../../../contract/experience/user-assets.ts'
import { acceptFileUpload } from '../../bodies.ts'
import { jsonResponse } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { createManagementCallDeclarer, guardedManagementRouter, type ManagementGuard } from '../router.ts'

const declareCall = createManagementCallDeclarer('Uploads')

const statusCall = declareCall({
  method: 'get',
  path: '/service-status',
  operationId: 'getUploadStatus',
  summary: 'Get the status of uploads',
  description:
    'Returns the types of files that can be uploaded and their maximum size: 8 MiB with a storage provider, ' +
    'and 256 KiB without one, or with one that cannot be used.',
  responses: { 200: jsonResponse('The status', UploadStatus.meta({ id: 'UploadStatus' })) },
})
const uploadCall = declareCall({
  method: 'post',
  path: '/',
  operationId: 'uploadPicture',
  summary: 'Upload a picture',
  description:
    'Stores the picture in the form field `file`, for example for a logo, and returns its public address. A ' +
    'picture of at most 256 KiB is stored in the database: `path` is its path on every host of the tenant, ' +
    'and settings should contain this path. A tenant can store 50 such pictures of 4 MiB in total, and those ' +
    'that nothing uses are removed a day after their upload. Any other picture is stored with the storage ' +
    'provider of the tenant. Without one, it is rejected: with `storage.not_configured` if it is too large, ' +
    'and with `storage.quota_exceeded` if there is no room for it. The type is determined from the content. Another type, ' +
    'or an SVG with forbidden content (named in `data.forbidden`), is rejected with ' +
    '`guard.mime_type_not_allowed`, and a file of more than 8 MiB with `guard.file_size_exceeded`. Files ' +
    'cannot be deleted here.',
  request: {
    body: {
      content: {
        'multipart/form-data': {
          schema: UploadForm.extend({
            file: UploadForm.shape.file.meta({ type: 'string', format: 'binary' }),
          }).meta({ id: 'PictureUpload' }),
        },
      },
      required: true,
    },
  },
  responses: { 200: jsonResponse('The address of the picture', UploadedFile) },
  refusals: [415, 422],
})

/** Serves image uploads for the sign-in pages (spec/connectors#uploads). */
export function userAssetRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const routes = guardedManagementRouter(dependencies, guard)
  routes.post('/', acceptFileUpload(MAX_UPLOAD_BYTES))
  return routes
    .openapi(statusCall, async (c) => {
      const provider = await findStorageProvider(dependencies, c.var.tenantId)
      return c.json(
        {
          status: 'ready' as const,
          allowUploadMimeTypes: [...uploadMimeTypes],
          maxUploadFileSize: provider ? MAX_UPLOAD_BYTES : BRAND_PICTURE_MAX_BYTES,
        },
        200,
      )
    })
    .openapi(uploadCall, async (c) => {
      const { file } = c.req.valid('form')
      const { tenantId, principal, requestId, url } = c.var
      const beginUploadAudit = (asset: string) =>
        beginManagementAudit(c, 'Management.UserAsset.Create', { asset })
      const upload = { tenantId, requestId, uploaderId: principal.id, file, beginAudit: beginUploadAudit }
      return c.json(await storeBrandUpload(dependencies, { ...upload, origin: url.origin }), 200)
    })
}
