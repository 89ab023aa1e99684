import { z } from 'zod'
import { failureReasons } from './connectors.ts'

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
  /** Why the provider did not accept the message, if the connector could tell. */
  reason: z.enum(failureReasons).nullable(),
  /** The answer of the server, shortened and without secrets. */
  answer: z.string().nullable(),
  requestId: z.string().nullable(),
  createdAt: z.number(),
})

export type SentMessage = z.infer<typeof SentMessageSchema>
