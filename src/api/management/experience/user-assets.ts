import type { Dependencies } from '../../../application/dependencies.ts'
import { findStorageProvider, storeUpload } from '../../../application/experience/store-upload.ts'
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
    'Returns whether files can be uploaded: `ready` with the allowed types and the maximum size, or ' +
    '`not_configured` if the tenant has no storage provider or one that cannot be used.',
  responses: { 200: jsonResponse('The status', UploadStatus.meta({ id: 'UploadStatus' })) },
})
const uploadCall = declareCall({
  method: 'post',
  path: '/',
  operationId: 'uploadPicture',
  summary: 'Upload a picture',
  description:
    'Stores the picture in the form field `file` with the storage provider of the tenant, and returns ' +
    'its public address, for example for a logo. The type is determined from the content. Another type, ' +
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
  refusals: [415],
})

/** Serves image uploads for the sign-in pages (spec/connectors#uploads). */
export function userAssetRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const routes = guardedManagementRouter(dependencies, guard)
  routes.post('/', acceptFileUpload(MAX_UPLOAD_BYTES))
  return routes
    .openapi(statusCall, async (c) => {
      const provider = await findStorageProvider(dependencies, c.var.tenantId)
      if (!provider) return c.json({ status: 'not_configured' as const }, 200)
      return c.json(
        {
          status: 'ready' as const,
          allowUploadMimeTypes: [...uploadMimeTypes],
          maxUploadFileSize: MAX_UPLOAD_BYTES,
        },
        200,
      )
    })
    .openapi(uploadCall, async (c) => {
      const { file } = c.req.valid('form')
      const { tenantId, principal, requestId } = c.var
      const beginUploadAudit = (asset: string) =>
        beginManagementAudit(c, 'Management.UserAsset.Create', { asset })
      const upload = { tenantId, requestId, uploaderId: principal.id, file, beginAudit: beginUploadAudit }
      return c.json({ url: await storeUpload(dependencies, upload) }, 200)
    })
}
