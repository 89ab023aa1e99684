import { z } from 'zod'
import { EmailAddress, Phone } from '../interactions/identifiers.schema.ts'
import { messageTypes } from './message-types.ts'

/**
 * A code of letters, digits, - and _. The restriction keeps callers from sending links or sentences in the tenant's
 * name. Our choice.
 */
const Code = z.string().regex(/^[\w-]{1,32}$/, 'must consist of 1 to 32 letters, digits, - or _')

const message = { type: z.enum(messageTypes), payload: z.strictObject({ code: Code }) }

/** The bodies of POST /services/send-email and /services/send-sms. */
export const EmailSend = z
  .strictObject({ data: z.strictObject({ to: EmailAddress, ...message }) })
  .meta({ id: 'EmailSend' })
export const SmsSend = z
  .strictObject({ data: z.strictObject({ to: Phone, ...message }) })
  .meta({ id: 'TextMessageSend' })
