import { z } from 'zod'
import { storableText } from '../text.schema.ts'

/** A user's second factors as the API returns them, without secrets and codes. Times are in epoch milliseconds. */
export const FactorsSchema = z.object({
  totp: z.object({ createdAt: z.number(), lastUsedAt: z.number().nullable() }).nullable(),
  backupCodesLeft: z.int(),
  /** True if the user has two or fewer backup codes left, and false if the user cannot have any. */
  hasFewBackupCodes: z.boolean(),
  passkeys: z.int(),
})

export const TotpSetupSchema = z
  .object({
    secret: z.string(),
    address: z.string(),
    /** The sealed enrolment, which the client sends back together with a code from the app. */
    enrolment: z.string(),
  })
  .meta({ id: 'TotpSetup' })

export const TotpProof = z
  .strictObject({
    enrolment: storableText(512).min(1),
    totpCode: storableText(32).min(1),
  })
  .meta({ id: 'TotpProof' })

export const BackupCodesSchema = z.object({ backupCodes: z.array(z.string()) }).meta({ id: 'BackupCodes' })
