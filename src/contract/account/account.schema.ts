import { z } from 'zod'
import { NewPassword, Username } from '../interactions/identifiers.schema.ts'
import { StoredTermsAgreement } from '../interactions/interaction.schema.ts'
import { SessionSchema } from '../sessions/sessions.schema.ts'
import { clearableValue, storableText, WebAddress } from '../text.schema.ts'
import { UserProfile, UserProfilePatch } from '../users/user-profile.schema.ts'

/** The parts of an account that its user can see and change (spec/management#account-api). */

export const AccountProfile = z.object({
  id: z.string(),
  username: z.string().nullable(),
  name: z.string().nullable(),
  avatar: z.string().nullable(),
  /** Requires the scope `email`. */
  primaryEmail: z.string().nullable().optional(),
  emailVerified: z.boolean().optional(),
  /** Requires the scope `phone`. */
  primaryPhone: z.string().nullable().optional(),
  phoneVerified: z.boolean().optional(),
  hasPassword: z.boolean(),
  createdAt: z.number(),
  lastSignInAt: z.number().nullable(),
  /** The user's agreement to the terms, or null if none is known. */
  termsAgreement: StoredTermsAgreement.nullable(),
  /** The `address` in the profile requires the scope `address`. */
  profile: UserProfile,
  profileUpdatedAt: z.number().nullable(),
})

/** A username can be changed but not cleared, because it may be the user's only identifier for signing in. */
export const AccountPatch = z
  .strictObject({
    username: Username,
    name: clearableValue(storableText(128)),
    avatar: clearableValue(WebAddress),
    /** Changing the `address` in the profile requires the scope `address`. */
    profile: UserProfilePatch,
  })
  .partial()
  .meta({ id: 'AccountProfilePatch' })

/** A body with the user's current password. Like sign-in, it accepts passwords that predate the current policy. */
export const CurrentPassword = z
  .strictObject({ password: storableText(256).min(1) })
  .meta({ id: 'CurrentPassword' })
export const PasswordChange = z.strictObject({ password: NewPassword }).meta({ id: 'PasswordChange' })

/** A browser in which the user has signed in (spec/accounts#trusted-browser). */
export const TrustedBrowserSchema = z.object({
  id: z.string(),
  userAgent: z.string().nullable(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  /**
   * The time until which this browser is not asked for a second factor, or null if it is not remembered
   * (spec/accounts#remembered-browser).
   */
  rememberedUntil: z.number().nullable(),
})

export const OwnSession = SessionSchema.extend({ isCurrent: z.boolean() })
