import { z } from 'zod'
import { storableText } from '../text.schema.ts'
import { DAY_SECONDS } from '../time.ts'

const MAX_LIFETIME = 365 * DAY_SECONDS // seconds
const MAX_USES = 1_000

/** A token with which clients can register, without its value (spec/management#registration-tokens). */
export const RegistrationTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  usesLeft: z.number(),
  expiresAt: z.number(),
  createdAt: z.number(),
})

/** The body of POST /registration-tokens. */
export const RegistrationTokenCreation = z
  .strictObject({
    name: storableText(256).min(1),
    uses: z.int().min(1).max(MAX_USES).default(1),
    lifetimeSeconds: z.int().min(60).max(MAX_LIFETIME).default(DAY_SECONDS),
  })
  .meta({ id: 'RegistrationTokenCreation' })
