import { z } from 'zod'
import { storableText, WebAddress } from '../text.schema.ts'
import type { StorageProvider } from './settings.ts'

const Secret = storableText(2048).min(1)
/** A URL to which a path is appended. */
const Folder = WebAddress.refine((value) => !/[?#]/.test(value), 'must not have a query or a fragment')
const publicUrl = Folder.optional()
/** One path segment. Segments that consist only of dots are excluded, because they could escape the folder. */
const Segment = storableText(256).regex(
  /^[\w$][\w.-]*$/,
  'must have only letters, digits, _, - and . and begin with a letter, a digit, _ or $',
)

const Azure = z.object({
  provider: z.literal('AzureStorage'),
  connectionString: Secret,
  container: Segment,
  publicUrl,
})
const S3 = z.object({
  provider: z.literal('S3Storage'),
  endpoint: Folder,
  bucket: Segment,
  accessKeyId: storableText(256).regex(/^[\x21-\x7e]+$/, 'must consist of visible ASCII characters'),
  accessSecretKey: Secret,
  region: storableText(64)
    .regex(/^[\w-]+$/, 'must consist of letters, digits, - or _')
    .optional(),
  publicUrl,
})
const R2 = z.object({ provider: z.literal('R2'), publicUrl: Folder })

/** A storage provider as it is stored. Unknown keys from another version of the Worker are ignored. */
export const StorageProviderSettings: z.ZodType<StorageProvider> = z.discriminatedUnion('provider', [
  Azure,
  S3,
  R2,
])
export const StorageProviderInput = z.discriminatedUnion('provider', [
  Azure.strict(),
  S3.strict(),
  R2.strict(),
])

/** The storage provider as the API returns it, without its secret. */
export const StorageProviderResponse = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('AzureStorage'), container: z.string(), publicUrl }),
  z.object({
    provider: z.literal('S3Storage'),
    endpoint: z.string(),
    bucket: z.string(),
    accessKeyId: z.string(),
    region: z.string().optional(),
    publicUrl,
  }),
  z.object({ provider: z.literal('R2'), publicUrl: z.string() }),
])

/** The storage provider as it is sealed in the database (spec/storage#sealing). */
export const SealedStorageProvider = z.object({ sealed: z.string() })
