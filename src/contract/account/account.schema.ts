import { z } from 'zod'
import { Email, NewPassword, Phone, Username } from '../interactions/identifiers.schema.ts'
import { StoredTermsAgreement } from '../interactions/interaction.schema.ts'
import { SessionSchema } from '../sessions/sessions.schema.ts'
import { clearableValue, storableText, WebAddress } from '../text.schema.ts'
import { UserProfile, UserProfilePatch } from '../users/user-profile.schema.ts'

/** What users see and change of their own account (spec/management#account-api). */

export const AccountProfile = z.object({
  id: z.string(),
  username: z.string().nullable(),
  name: z.string().nullable(),
  avatar: z.string().nullable(),
  /** With the scope `email`. */
  primaryEmail: z.string().nullable().optional(),
  emailVerified: z.boolean().optional(),
  /** With the scope `phone`. */
  primaryPhone: z.string().nullable().optional(),
  phoneVerified: z.boolean().optional(),
  hasPassword: z.boolean(),
  createdAt: z.number(),
  lastSignInAt: z.number().nullable(),
  /** To the terms; null where none is known. */
  termsAgreement: StoredTermsAgreement.nullable(),
  /** `address` with the scope `address`. */
  profile: UserProfile,
  profileUpdatedAt: z.number().nullable(),
})

/** A username can be changed but not cleared: it may be the only identifier for sign-in. */
export const AccountPatch = z
  .strictObject({
    username: Username,
    name: clearableValue(storableText(128)),
    avatar: clearableValue(WebAddress),
    /** `address` needs the scope `address`. */
    profile: UserProfilePatch,
  })
  .partial()

/** As at sign-in: any text that could be a stored password, also from before the present policy. */
export const CurrentPassword = z.strictObject({ password: storableText(256).min(1) })
export const PasswordChange = z.strictObject({ password: NewPassword })

/** An address of the account. */
export const OwnAddress = z.union([z.strictObject({ email: Email }), z.strictObject({ phone: Phone })])
export const OwnAddressProof = z.union([
  z.strictObject({ email: Email, verificationCode: storableText(16).min(1) }),
  z.strictObject({ phone: Phone, verificationCode: storableText(16).min(1) }),
])

/** A browser in which the user signed in (spec/accounts#trusted-browser). */
export const TrustedBrowserSchema = z.object({
  id: z.string(),
  userAgent: z.string().nullable(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  /** Until when the user is asked for no second factor in it; null where they are (spec/accounts#remembered-browser). */
  rememberedUntil: z.number().nullable(),
})

export const OwnSession = SessionSchema.extend({ isCurrent: z.boolean() })
