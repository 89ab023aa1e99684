import { z } from 'zod'

/** A signing key as the API returns it, without the key material. */
export const SigningKey = z.object({
  /** The key id, which is the `kid` of the tokens that the key signs. */
  id: z.string(),
  algorithm: z.string(),
  /**
   * The state of a key. A key is published before it starts to sign, and remains published until the last token that it
   * signed has expired.
   */
  status: z.enum(['announced', 'signing', 'retired']),
  signsFrom: z.number(),
})

export const KeyRotation = z
  .strictObject({
    immediately: z.boolean().default(false),
    /**
     * If true, the current keys are no longer published, which invalidates every token that they have signed. Implies
     * `immediately`.
     */
    withdraw: z.boolean().default(false),
  })
  .meta({ id: 'KeyRotation' })
