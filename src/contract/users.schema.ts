import { z } from 'zod'
import { Email, NewPassword, Phone, Username } from './identifiers.schema.ts'
import { clearable, isStorable, text, WebAddress } from './text.schema.ts'

const Data = z.record(z.string(), z.unknown())

/** What a provider said of somebody when the identity was linked. */
const Details = z.object({
  id: z.string(),
  email: z.string().optional(),
  phone: z.string().optional(),
  name: z.string().optional(),
  avatar: z.string().optional(),
})

/** By connector target. */
export const Identities = z.record(z.string(), z.object({ userId: z.string(), details: Details.optional() }))

/** The fields of a user that leave the house (contract 2.9, 8.1): never a password. */
export const User = z.object({
  id: z.string(),
  username: z.string().nullable(),
  primaryEmail: z.string().nullable(),
  primaryPhone: z.string().nullable(),
  name: z.string().nullable(),
  avatar: z.string().nullable(),
  customData: Data,
  identities: Identities,
  lastSignInAt: z.number().nullable(),
  createdAt: z.number(),
  applicationId: z.string().nullable(),
  isSuspended: z.boolean(),
})

const Name = text(128)

/** Deeper than anything an application keeps about a user, and shallow enough for every parser on the way. */
const MOST_DEPTH = 32

/** An application's own data about a user: any JSON object that is the same after it was stored. */
export const CustomData = Data.refine((data) => isStorableJson(data, MOST_DEPTH), 'cannot be stored')

function isStorableJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorableJson(item, depth - 1))
}

/** As much as a body may have (decision 10): what is merged bit by bit must not outgrow a row either. Characters of JSON. */
export const MOST_CUSTOM_DATA = 64 * 1024

export const fitsCustomData = (data: Record<string, unknown>): boolean =>
  JSON.stringify(data).length <= MOST_CUSTOM_DATA

/** POST /users. */
export const UserCreation = z.object({
  primaryPhone: Phone.optional(),
  primaryEmail: Email.optional(),
  username: Username.optional(),
  password: NewPassword.optional(),
  name: Name.optional(),
})

/** PATCH /users/{id}: what is given replaces what was there (contract 8.1). */
export const UserPatch = z
  .object({
    username: clearable(Username),
    primaryEmail: clearable(Email),
    primaryPhone: clearable(Phone),
    name: clearable(Name),
    avatar: clearable(WebAddress),
    customData: CustomData,
  })
  .partial()
