import { z } from 'zod'
import { BODY_MAX_BYTES } from '../body-limit.ts'
import { Email, NewPassword, Phone, Username } from '../interactions/identifiers.schema.ts'
import { StoredTermsAgreement } from '../interactions/interaction.schema.ts'
import { clearableValue, isStorable, storableText, WebAddress } from '../text.schema.ts'
import type { UserField } from './user-fields.ts'
import { UserProfile, UserProfilePatch } from './user-profile.schema.ts'

const Data = z.record(z.string(), z.unknown())

/** The profile that the social provider reported when the identity was linked. */
const Details = z.object({
  id: z.string(),
  email: z.string().optional(),
  phone: z.string().optional(),
  name: z.string().optional(),
  avatar: z.string().optional(),
})

/** Identities by connector target. */
export const IdentitiesSchema = z
  .record(z.string(), z.object({ userId: z.string(), details: Details.optional() }))
  .meta({ id: 'Identities' })

/** A user as the API returns it and hooks receive it (spec/management#user-fields), without the password. */
export const User = z.object({
  id: z.string(),
  username: z.string().nullable(),
  primaryEmail: z.string().nullable(),
  primaryPhone: z.string().nullable(),
  name: z.string().nullable(),
  avatar: z.string().nullable(),
  customData: Data,
  identities: IdentitiesSchema,
  lastSignInAt: z.number().nullable(),
  createdAt: z.number(),
  applicationId: z.string().nullable(),
  emailVerified: z.boolean(),
  phoneVerified: z.boolean(),
  /** The agreement to the terms, or null if none is known (spec/accounts#terms-agreement). */
  termsAgreement: StoredTermsAgreement.nullable(),
  isSuspended: z.boolean(),
  profile: UserProfile,
  /** The time at which the data of the standard claims last changed, or null if it has never changed. */
  profileUpdatedAt: z.number().nullable(),
} satisfies Record<UserField, z.ZodType>)
export type User = z.infer<typeof User>

/**
 * A single user as the API returns it, including the user's pending deletion request, if any (spec/accounts#deletion).
 */
export const ManagedUser = User.extend({
  deletion: z.object({ requestedAt: z.number(), dueAt: z.number() }).optional(),
}).meta({ id: 'User' })

/**
 * An entry in a list of users. If the caller may not read users, the entry contains only names
 * (spec/management#withheld-users).
 */
export const UserOrSummary = z
  .union([
    ManagedUser,
    User.pick({ id: true, username: true, name: true, avatar: true }).meta({ id: 'UserSummary' }),
  ])
  .meta({ id: 'UserOrSummary' })

const Name = storableText(128)

/** The maximum nesting depth. Applications need fewer levels, and every parser can handle this many. */
const MAX_DEPTH = 32

/** Data that applications store about a user: any JSON object that the database returns unchanged. */
export const CustomData = Data.refine((data) => isStorableJson(data, MAX_DEPTH), 'cannot be stored').meta({
  id: 'CustomData',
})

function isStorableJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorableJson(item, depth - 1))
}

/** The body of the calls that merge custom data. */
export const CustomDataPatch = z.strictObject({ customData: CustomData }).meta({ id: 'CustomDataPatch' })

/**
 * The maximum size of the data, in bytes of JSON. The merged object must not exceed the limit of a request body,
 * because every message to a hook contains the whole object (spec/limits#bodies).
 */
export const MAX_CUSTOM_DATA_BYTES = BODY_MAX_BYTES

export const fitsCustomData = (data: Record<string, unknown>): boolean =>
  new TextEncoder().encode(JSON.stringify(data)).length <= MAX_CUSTOM_DATA_BYTES

/** The body of POST /users. */
export const UserCreation = z
  .strictObject({
    primaryPhone: Phone.optional(),
    primaryEmail: Email.optional(),
    username: Username.optional(),
    emailVerified: z.boolean().optional(),
    phoneVerified: z.boolean().optional(),
    password: NewPassword.optional(),
    name: Name.optional(),
    profile: UserProfile.optional(),
  })
  .meta({ id: 'UserCreation' })

/**
 * The body of PATCH /users/{id}. Each field that is present replaces the stored value as a whole, except `profile`,
 * which is merged.
 */
export const UserPatch = z
  .strictObject({
    username: clearableValue(Username),
    primaryEmail: clearableValue(Email),
    primaryPhone: clearableValue(Phone),
    emailVerified: z.boolean(),
    phoneVerified: z.boolean(),
    name: clearableValue(Name),
    avatar: clearableValue(WebAddress),
    customData: CustomData,
    profile: UserProfilePatch,
  })
  .partial()
  .meta({ id: 'UserPatch' })
