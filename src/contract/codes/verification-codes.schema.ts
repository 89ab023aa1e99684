import { z } from 'zod'
import { Email, Phone } from '../interactions/identifiers.schema.ts'
import { storableText } from '../text.schema.ts'

const verificationCode = storableText(16).min(1)

/** Either an email address or a phone number. */
export const VerificationCodeRequest = z
  .union([z.strictObject({ email: Email }), z.strictObject({ phone: Phone })])
  .meta({ id: 'VerificationCodeRequest' })
export const CodeVerification = z
  .union([
    z.strictObject({ email: Email, verificationCode }),
    z.strictObject({ phone: Phone, verificationCode }),
  ])
  .meta({ id: 'CodeVerification' })
