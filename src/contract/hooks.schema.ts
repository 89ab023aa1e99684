import { z } from 'zod'
import { hookEvents } from './hooks.ts'
import { OwnId, text, WebAddress } from './text.schema.ts'

/** The row as it is answered. Its secret is told once, when it is made. */
export const Hook = z.object({
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

/** RFC 9110 §5.1 and 5.5: what would break out of its line never gets into a header. */
const HeaderName = z
  .string()
  .max(128)
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/)
const HeaderValue = text(2048).regex(/^[\t\x20-\x7e\x80-\xff]*$/)

const MOST_HEADERS = 32

const config = {
  url: WebAddress,
  headers: z
    .record(HeaderName, HeaderValue)
    .refine((headers) => Object.keys(headers).length <= MOST_HEADERS, 'too many headers')
    .optional(),
  retries: z.int().min(0).max(3),
}

/** POST /hooks (contract 8.2). */
export const HookCreation = z.object({
  id: OwnId.optional(),
  event: z.enum(hookEvents),
  config: z.object(config),
})

/** PATCH /hooks/{id}: what is given of the configuration replaces what was there, key by key (contract 8.1). */
export const HookPatch = z.object({ event: z.enum(hookEvents), config: z.object(config).partial() }).partial()

/** What became of one try to deliver. */
export const DeliveryReport = z.object({
  result: z.enum(['Success', 'Error']),
  response: z.object({ statusCode: z.number(), body: z.unknown() }).optional(),
  error: z.string().optional(),
})

/** What a hook was to be told. */
export const HookDelivery = z.object({
  /** The `webhook-id`. */
  id: z.string(),
  event: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  payload: z.record(z.string(), z.unknown()),
  createdAt: z.number(),
})
