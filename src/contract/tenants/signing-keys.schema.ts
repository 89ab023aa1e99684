import { z } from 'zod'

/** A signing key as it is answered: without the key itself. */
export const SigningKey = z.object({
  /** The `kid` of the tokens it signs. */
  id: z.string(),
  algorithm: z.string(),
  /** A key is published before it signs, and as long as tokens that it signed can be valid. */
  status: z.enum(['announced', 'signing', 'retired']),
  signsFrom: z.number(),
})

export const Rotation = z.strictObject({
  immediately: z.boolean().default(false),
  /** The present keys are not published any more: every token that they signed becomes invalid. Includes `immediately`. */
  withdraw: z.boolean().default(false),
})
