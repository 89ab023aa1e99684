import { z } from 'zod'

/** A message that was sent, or that the provider rejected (spec/management#messages-sent). */
export const SentMessageSchema = z.object({
  id: z.string(),
  channel: z.enum(['email', 'sms']),
  /** The recipient's address, masked. */
  to: z.string(),
  messageType: z.string(),
  connectorId: z.string(),
  factoryId: z.string(),
  result: z.enum(['Success', 'Error']),
  /** The error code, if the provider rejected the message. */
  error: z.string().nullable(),
  requestId: z.string().nullable(),
  createdAt: z.number(),
})
