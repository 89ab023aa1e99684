import { z } from 'zod'
import { CustomId, storableText, WebAddress } from '../text.schema.ts'
import { hookEvents } from './hooks.ts'

/** A hook as the API returns it. The secret is returned only when the hook is created. */
export const HookSchema = z.object({
  tenantId: z.string(),
  id: z.string(),
  event: z.enum(hookEvents),
  config: z.object({
    url: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
    retries: z.number(),
  }),
  createdAt: z.number(),
})

/** Header fields must not contain line breaks (RFC 9110 §5.1, §5.5). */
const HeaderName = z
  .string()
  .max(128)
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'is not the name of a header')
const HeaderValue = storableText(2048).regex(
  /^[\t\x20-\x7e\x80-\xff]*$/,
  'contains characters that a header cannot have',
)

const MAX_HEADERS = 32

const config = {
  url: WebAddress,
  headers: z
    .record(HeaderName, HeaderValue)
    .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, 'has too many headers')
    .optional(),
  retries: z.int().min(0).max(3),
}

/** The body of POST /hooks. */
export const HookCreation = z
  .strictObject({
    id: CustomId.optional(),
    event: z.enum(hookEvents),
    config: z.strictObject(config),
  })
  .meta({ id: 'HookCreation' })

/** The body of PATCH /hooks/{id}. The configuration is merged key by key (spec/management#patch). */
export const HookPatch = z
  .strictObject({ event: z.enum(hookEvents), config: z.strictObject(config).partial() })
  .partial()
  .meta({ id: 'HookPatch' })

/** The outcome of one attempt to deliver a message. */
export const DeliveryReportSchema = z.object({
  result: z.enum(['Success', 'Error']),
  response: z.object({ statusCode: z.number(), body: z.unknown() }).optional(),
  error: z.string().optional(),
})

/** A message to a hook and the state of its delivery. */
export const HookDelivery = z.object({
  /** The value of the header `webhook-id`. */
  id: z.string(),
  event: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  payload: z.record(z.string(), z.unknown()),
  createdAt: z.number(),
})
