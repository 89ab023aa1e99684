import { z } from 'zod'
import { SocialProfileSchema } from '../interactions/interaction.schema.ts'

/** An operator's test of a sign-in at a provider (spec/connectors#sign-in-test), as returned when it begins. */
export const SignInTestStart = z.object({
  testId: z.string(),
  /** The provider's URL, which the browser opens to sign in. */
  uri: z.string(),
  expiresAt: z.number(),
})
export type SignInTestStart = z.infer<typeof SignInTestStart>

/**
 * The reasons why a profile lacks values although the sign-in succeeded (spec/connectors#sign-in-test).
 * `userInfoAbsent` means that the provider names no userinfo endpoint.
 */
export const profileRemarks = [
  'emailAbsent',
  'emailUnverified',
  'emailsFailed',
  'userInfoAbsent',
  'userInfoFailed',
] as const
export type ProfileRemark = (typeof profileRemarks)[number]

const expiry = { expiresAt: z.number() }

/** The state of a test. */
export const SignInTest = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), ...expiry }),
  z.object({
    status: z.literal('succeeded'),
    profile: SocialProfileSchema,
    remarks: z.array(z.enum(profileRemarks)),
    ...expiry,
  }),
  z.object({
    status: z.literal('refused'),
    /** The error that a user would see when signing in. */
    error: z.object({ code: z.string(), data: z.unknown().optional() }),
    ...expiry,
  }),
])
export type SignInTest = z.infer<typeof SignInTest>
