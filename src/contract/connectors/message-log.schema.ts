import { z } from 'zod'

/** A message that was sent, or that the provider refused (spec/management#messages-sent). */
export const SentMessageSchema = z.object({
  id: z.string(),
  channel: z.enum(['email', 'sms']),
  /** Masked. */
  to: z.string(),
  messageType: z.string(),
  connectorId: z.string(),
  factoryId: z.string(),
  result: z.enum(['Success', 'Error']),
  /** The code of the refusal. */
  error: z.string().nullable(),
  requestId: z.string().nullable(),
  createdAt: z.number(),
})
