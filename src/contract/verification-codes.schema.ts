import { z } from 'zod'
import { Email, Phone } from './identifiers.schema.ts'
import { text } from './text.schema.ts'

const verificationCode = text(16).min(1)

/** An address of one kind; the first match counts. */
export const CodeRequest = z.union([z.object({ email: Email }), z.object({ phone: Phone })])
export const CodeVerification = z.union([
  z.object({ email: Email, verificationCode }),
  z.object({ phone: Phone, verificationCode }),
])
