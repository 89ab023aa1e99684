import { z } from 'zod'
import { storableText } from '../text.schema.ts'

/** The second factors of a user, as they are listed: no secret and no code. Times in epoch milliseconds. */
export const FactorsSchema = z.object({
  totp: z.object({ createdAt: z.number(), lastUsedAt: z.number().nullable() }).nullable(),
  backupCodesLeft: z.int(),
  /** At most two are left, of a user who may have some. */
  hasFewBackupCodes: z.boolean(),
  passkeys: z.int(),
})

export const TotpInvitationSchema = z.object({
  secret: z.string(),
  address: z.string(),
  /** Given back with a code of the app. */
  enrolment: z.string(),
})

export const TotpProof = z.strictObject({
  enrolment: storableText(512).min(1),
  totpCode: storableText(32).min(1),
})

export const BackupCodesSchema = z.object({ backupCodes: z.array(z.string()) })
