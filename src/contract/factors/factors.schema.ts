import { z } from 'zod'
import { storableText } from '../text.schema.ts'

/** A user's second factors as the API lists them, without secrets and codes. Times are in epoch milliseconds. */
export const FactorsSchema = z.object({
  totp: z.object({ createdAt: z.number(), lastUsedAt: z.number().nullable() }).nullable(),
  backupCodesLeft: z.int(),
  /** Whether a user who can have backup codes has at most two left. */
  hasFewBackupCodes: z.boolean(),
  passkeys: z.int(),
})

export const TotpSetupSchema = z.object({
  secret: z.string(),
  address: z.string(),
  /** Sent back together with a code of the app. */
  enrolment: z.string(),
})

export const TotpProof = z.strictObject({
  enrolment: storableText(512).min(1),
  totpCode: storableText(32).min(1),
})

export const BackupCodesSchema = z.object({ backupCodes: z.array(z.string()) })
