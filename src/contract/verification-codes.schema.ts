import { z } from 'zod'
import { Email, Phone } from './identifiers.schema.ts'
import { text } from './text.schema.ts'

const verificationCode = text(16).min(1)

/** First match wins: an address of one kind. */
export const CodeRequest = z.union([z.object({ email: Email }), z.object({ phone: Phone })])
export const CodeVerification = z.union([
  z.object({ email: Email, verificationCode }),
  z.object({ phone: Phone, verificationCode }),
])
