import { z } from 'zod'
import { isCalendarDate } from '../day.ts'
import { clearableValue, storableText, WebAddress } from '../text.schema.ts'

/** The standard claims without a separate column, in camel case (OIDC Core §5.1, spec/accounts#profile). */

const Name = storableText(128).min(1)

/** A birthdate: a four-digit year, a full date, or a date without its year. */
const Birthdate = z
  .string()
  .refine(
    (value) => (/^\d{4}$/.test(value) ? value !== '0000' : isCalendarDate(value)),
    'is not YYYY, YYYY-MM-DD or 0000-MM-DD',
  )

/** A time zone. Offsets such as `+01:00` are excluded, because they are not in the time zone database. */
const TimeZone = z
  .string()
  .max(64)
  .refine(
    (value) => /^[A-Za-z]/.test(value) && succeeds(() => new Intl.DateTimeFormat('en', { timeZone: value })),
    'is not the name of an IANA time zone',
  )

const LanguageTag = z
  .string()
  .min(1)
  .max(35) // RFC 5646 §4.4.1
  .refine((value) => succeeds(() => new Intl.Locale(value)), 'is not a BCP 47 language tag')

function succeeds(use: () => unknown): boolean {
  try {
    use()
    return true
  } catch {
    return false
  }
}

const address = {
  /** The complete address as written on an envelope, with lines separated by line feeds. */
  formatted: storableText(512).min(1),
  streetAddress: storableText(256).min(1),
  locality: Name,
  region: Name,
  postalCode: storableText(32).min(1),
  country: Name,
}

const claims = {
  givenName: Name,
  familyName: Name,
  middleName: Name,
  nickname: Name,
  profile: WebAddress,
  website: WebAddress,
  gender: storableText(64).min(1),
  birthdate: Birthdate,
  zoneinfo: TimeZone,
  locale: LanguageTag,
}

export const UserProfile = z.strictObject({ ...claims, address: z.strictObject(address).partial() }).partial()
export type UserProfile = z.infer<typeof UserProfile>

type Clearable<T extends Record<string, z.ZodType>> = {
  [Key in keyof T]: ReturnType<typeof clearableValue<T[Key]>>
}
const clearable = <T extends Record<string, z.ZodType>>(shape: T) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, clearableValue(schema)]),
  ) as Clearable<T>

/** A profile patch, which is merged key by key, including the keys of the address. `''` or null removes a key. */
export const UserProfilePatch = z
  .strictObject({
    ...clearable(claims),
    address: z.union([z.strictObject(clearable(address)).partial(), z.null()]),
  })
  .partial()
export type UserProfilePatch = z.infer<typeof UserProfilePatch>
