import { z } from 'zod'
import { uploadMimeTypes } from './user-assets.ts'

/** Whether uploads can go anywhere, and what they may be (product 3). */
export const UploadStatus = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('ready'),
    allowUploadMimeTypes: z.array(z.enum(uploadMimeTypes)),
    /** In bytes. */
    maxUploadFileSize: z.number(),
  }),
  z.object({ status: z.literal('not_configured') }),
])

export const Upload = z.object({ file: z.instanceof(File) })

/** Where it can be fetched from. */
export const Uploaded = z.object({ url: z.url() })
