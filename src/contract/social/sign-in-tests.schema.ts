import { z } from 'zod'
import { SocialProfileSchema } from '../interactions/interaction.schema.ts'

/** A sign-in at a provider that an operator tests (spec/connectors#sign-in-test), as it is answered when it begins. */
export const SignInTestStart = z.object({
  testId: z.string(),
  /** Where the browser goes to sign in. */
  uri: z.string(),
  expiresAt: z.number(),
})
export type SignInTestStart = z.infer<typeof SignInTestStart>

const end = { expiresAt: z.number() }

/** What became of it. */
export const SignInTest = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), ...end }),
  z.object({ status: z.literal('succeeded'), profile: SocialProfileSchema, ...end }),
  z.object({
    status: z.literal('refused'),
    /** What a user would be refused with at the sign-in. */
    error: z.object({ code: z.string(), data: z.unknown().optional() }),
    ...end,
  }),
])
export type SignInTest = z.infer<typeof SignInTest>
