import type { Dependencies } from '../../../application/dependencies.ts'
import { findStorageProvider, storeUpload } from '../../../application/experience/store-upload.ts'
import { UploadedFile, UploadForm, UploadStatus } from '../../../contract/experience/user-assets.schema.ts'
import { MAX_UPLOAD_BYTES, uploadMimeTypes } from '../../../contract/experience/user-assets.ts'
import { fileBody } from '../../bodies.ts'
import { jsonAnswer } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { guardedRouterFor, type ManagementGuard, managementCalls } from '../router.ts'

const declareCall = managementCalls('Uploads')

const statusCall = declareCall({
  method: 'get',
  path: '/service-status',
  summary: 'Get the status of uploads',
  description:
    'Answers whether files can be uploaded: `ready` with the allowed types and the largest size, or `not_configured` when the tenant has no storage provider or one that cannot be used.',
  answers: { 200: jsonAnswer('The status', UploadStatus.meta({ id: 'UploadStatus' })) },
})
const uploadCall = declareCall({
  method: 'post',
  path: '/',
  summary: 'Upload a picture',
  description:
    'Stores the picture in the form field `file` with the storage provider of the tenant and answers its public address, for instance for a logo. The type is read from the content: another type, or a ' +
    'drawing with more than drawings may have (`data.forbidden` names it), is refused with `guard.mime_type_not_allowed`, more than 8 MiB with `guard.file_size_exceeded`. Files cannot be deleted here.',
  request: {
    body: {
      content: {
        'multipart/form-data': {
          schema: UploadForm.extend({
            file: UploadForm.shape.file.meta({ type: 'string', format: 'binary' }),
          }),
        },
      },
      required: true,
    },
  },
  answers: { 200: jsonAnswer('The address of the picture', UploadedFile) },
  refusals: [415],
})

/** Pictures for the sign-in pages (spec/connectors#uploads). */
export function userAssetRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const routes = guardedRouterFor(dependencies, guard)
  routes.post('/', fileBody(MAX_UPLOAD_BYTES))
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
