import { z } from 'zod'

/** A signing key as the API returns it, without the key itself. */
export const SigningKey = z.object({
  /** The `kid` of the tokens that the key signs. */
  id: z.string(),
  algorithm: z.string(),
  /** A key is published before it signs, and for as long as tokens that it signed can be valid. */
  status: z.enum(['announced', 'signing', 'retired']),
  signsFrom: z.number(),
})

export const Rotation = z.strictObject({
  immediately: z.boolean().default(false),
  /** Stops publishing the current keys, so that every token they signed becomes invalid. Implies `immediately`. */
  withdraw: z.boolean().default(false),
})
