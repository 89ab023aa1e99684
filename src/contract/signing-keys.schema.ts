import { z } from 'zod'

/** A key as an operator sees it: never what it is made of. */
export const SigningKey = z.object({
  /** The `kid` of the tokens it signs. */
  id: z.string(),
  algorithm: z.string(),
  /** Published before it signs, and for as long as tokens it signed may live. */
  status: z.enum(['announced', 'signing', 'retired']),
  signsFrom: z.number(),
})

export const Rotation = z.object({
  immediately: z.boolean().default(false),
  /** The present keys are believed no more: whatever they signed is worth nothing. Includes `immediately`. */
  withdraw: z.boolean().default(false),
})
