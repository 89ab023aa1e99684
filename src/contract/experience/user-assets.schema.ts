import { z } from 'zod'
import { uploadMimeTypes } from './user-assets.ts'

/** Whether files can be uploaded and, if so, of which types (spec/connectors#uploads). */
export const UploadStatus = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('ready'),
    allowUploadMimeTypes: z.array(z.enum(uploadMimeTypes)),
    /** The maximum size of a file, in bytes. */
    maxUploadFileSize: z.number(),
  }),
  z.object({ status: z.literal('not_configured') }),
])

export const UploadForm = z.object({ file: z.instanceof(File) })

/** The URL of the stored file. */
export const UploadedFile = z.object({ url: z.url() }).meta({ id: 'UploadedFile' })
