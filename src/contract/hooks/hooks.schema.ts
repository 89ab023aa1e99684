import { z } from 'zod'
import { CustomId, storableText, WebAddress } from '../text.schema.ts'
import { type HookEvent, hookEvents } from './hooks.ts'

/** A hook as the API returns it. The secret is returned only when the hook is created. */
export const HookSchema = z.object({
  tenantId: z.string(),
  id: z.string(),
  /** The first of `events`. */
  event: z.enum(hookEvents),
  events: z.array(z.enum(hookEvents)),
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

/** A hook names its events as `events`, or a single one as `event` (spec/management#hooks-api). */
const subscription = {
  event: z.enum(hookEvents).optional(),
  events: z
    .array(z.enum(hookEvents))
    .min(1)
    .refine((events) => new Set(events).size === events.length, 'contains the same value twice')
    .optional(),
}
type Subscription = { event?: HookEvent | undefined; events?: readonly HookEvent[] | undefined }

/** Clients send back what they have read, so both fields may be present as long as they agree. */
const isConsistent = ({ event, events }: Subscription) =>
  event === undefined || events === undefined || events[0] === event
const inconsistent = { path: ['event'], message: 'must be the first of events' }
const namesEvent = ({ event, events }: Subscription) => event !== undefined || events !== undefined
const missing = { path: ['events'], message: 'is required' }

const settings = { ...subscription, config: z.strictObject(config) }

/** A hook in a settings file. */
export const HookSettings = z
  .strictObject(settings)
  .refine(namesEvent, missing)
  .refine(isConsistent, inconsistent)

/** The body of POST /hooks. */
export const HookCreation = z
  .strictObject({ id: CustomId.optional(), ...settings })
  .refine(namesEvent, missing)
  .refine(isConsistent, inconsistent)
  .meta({ id: 'HookCreation' })

/** The body of PATCH /hooks/{id}. The configuration is merged key by key (spec/management#patch). */
export const HookPatch = z
  .strictObject({ ...subscription, config: z.strictObject(config).partial().optional() })
  .refine(isConsistent, inconsistent)
  .meta({ id: 'HookPatch' })

/** The body of POST /hooks/{id}/test. */
export const HookTest = z.strictObject({ event: z.enum(hookEvents).optional() }).meta({ id: 'HookTest' })

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
