import { z } from 'zod'
import { uploadMimeTypes } from './user-assets.ts'

/** The files that can be uploaded (spec/connectors#uploads). */
export const UploadStatus = z.object({
  status: z.literal('ready'),
  allowUploadMimeTypes: z.array(z.enum(uploadMimeTypes)),
  /** The maximum size of a file, in bytes. It is lower without a storage provider. */
  maxUploadFileSize: z.number(),
})

export const UploadForm = z.object({ file: z.instanceof(File) })

/**
 * The URL of the stored file. A picture in the database also has a path, which settings should contain, because it is
 * valid on all hosts of the tenant.
 */
export const UploadedFile = z
  .object({ url: z.url(), path: z.string().optional() })
  .meta({ id: 'UploadedFile' })
