import { z } from 'zod'
import { ErrorBodySchema } from '../errors.schema.ts'
import { agreeToTermsPolicies } from '../experience/experience.ts'
import { Email, NewPassword, Phone, Username } from '../interactions/identifiers.schema.ts'
import { Transports } from '../passkeys/passkeys.schema.ts'
import {
  CREDENTIAL_ID_MAX_LENGTH,
  MAX_PASSKEYS,
  PASSKEY_NAME_MAX_LENGTH,
  PUBLIC_KEY_MAX_LENGTH,
} from '../passkeys/passkeys.ts'
import { clearableValue, singleLineText, storableText, WebAddress } from '../text.schema.ts'
import { UserProfile } from './user-profile.schema.ts'
import { CustomData, fitsCustomData } from './users.schema.ts'

/** The import and export of users. An import accepts what an export returns (spec/management#user-import). */

/** A user id: letters and digits, except the names of paths under /users (spec/storage#ids). */
const UserId = z
  .string()
  .regex(/^[\dA-Za-z]{1,12}$/, 'must consist of 1 to 12 letters or digits')
  .refine((id) => id !== 'bulk' && id !== 'export' && id !== 'import', 'is reserved')

/** A time in epoch milliseconds, up to the latest date that JavaScript can represent. */
const Time = z.number().int().min(0).max(8.64e15)

const Name = storableText(128)

const Identity = z.strictObject({
  userId: storableText(256).min(1),
  details: z
    .strictObject({
      id: storableText(256),
      email: Name.optional(),
      phone: Name.optional(),
      name: Name.optional(),
      avatar: storableText(2048).optional(),
    })
    .optional(),
})

/** Unlike the stored form, this schema rejects unknown keys, because the value comes from a request. */
const Agreement = z.strictObject({
  agreedAt: Time,
  policy: z.enum(agreeToTermsPolicies),
  termsOfUseUrl: WebAddress.nullable(),
  privacyPolicyUrl: WebAddress.nullable(),
})

/**
 * A binary value in base64 or base64url, with or without padding, as other products store it. It is converted to
 * base64url.
 */
const Binary = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w+/-]+={0,2}$/, 'is not base64url')
    .overwrite((text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))

/**
 * A credential record (WebAuthn §4). Fields that other products do not store are optional
 * (spec/accounts#imported-factors).
 */
const ImportedPasskey = z.strictObject({
  id: Binary(CREDENTIAL_ID_MAX_LENGTH),
  /** The public key in COSE format (RFC 9052 §7). */
  publicKey: Binary(PUBLIC_KEY_MAX_LENGTH),
  counter: z.int().min(0).max(0xff_ff_ff_ff).optional(),
  transports: Transports.optional(),
  aaguid: z
    .string()
    .regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, 'is not a UUID')
    .optional(),
  name: singleLineText(PASSKEY_NAME_MAX_LENGTH).nullable().optional(),
  rpId: storableText(253).optional(),
  isBackupEligible: z.boolean().nullable().optional(),
  isBackedUp: z.boolean().optional(),
  createdAt: Time.optional(),
  lastUsedAt: Time.nullable().optional(),
  isSecondFactor: z.boolean().optional(),
})
export type ImportedPasskey = z.infer<typeof ImportedPasskey>

const optionalOrEmpty = <T extends z.ZodType>(schema: T) => clearableValue(schema).optional()

/** Rejects unknown keys. Otherwise, a misspelt column name would silently lose data for every user in the file. */
export const ImportedUser = z
  .strictObject({
    id: UserId.optional(),
    username: optionalOrEmpty(Username),
    primaryEmail: optionalOrEmpty(Email),
    primaryPhone: optionalOrEmpty(Phone),
    name: optionalOrEmpty(Name),
    avatar: optionalOrEmpty(WebAddress),
    customData: CustomData.refine(fitsCustomData, 'is too large').optional(),
    identities: z.record(Name.min(1), Identity).optional(),
    /** A password hash in one of the formats of spec/storage#password-hashes. */
    passwordDigest: storableText(512).min(1).optional(),
    /** The algorithm of the hash; if absent, it is detected from the hash. */
    passwordAlgorithm: Name.optional(),
    password: NewPassword.optional(),
    /** If absent, the address is considered verified (spec/accounts#verified-addresses). */
    emailVerified: z.boolean().optional(),
    phoneVerified: z.boolean().optional(),
    /** The agreement to the terms, in the form in which an export returns it (spec/accounts#terms-agreement). */
    termsAgreement: Agreement.nullable().optional(),
    isSuspended: z.boolean().optional(),
    createdAt: Time.optional(),
    lastSignInAt: Time.nullable().optional(),
    profile: UserProfile.optional(),
    profileUpdatedAt: Time.nullable().optional(),
    roleNames: z.array(Name).max(50).optional(),
    /** The secret of an authenticator app in Base32 (RFC 4648 §6). */
    totpSecret: optionalOrEmpty(storableText(128)),
    passkeys: z.array(ImportedPasskey).max(MAX_PASSKEYS).optional(),
  })
  .refine(({ password, passwordDigest }) => password === undefined || passwordDigest === undefined, {
    path: ['password'],
    message: 'cannot be combined with passwordDigest',
  })
export type ImportedUser = z.infer<typeof ImportedUser>

/** The maximum number of users in one call. The database handles this number easily in one transaction. Our choice. */
export const MAX_USERS_PER_IMPORT = 200

/** The body of POST /users/import. The schema accepts any list entry, because entries are validated one by one. */
export const UserImport = z
  .strictObject({
    users: z
      .array(z.union([ImportedUser, z.unknown()]))
      .min(1)
      .max(MAX_USERS_PER_IMPORT),
    /** Confirms that users with internal roles may be imported. Otherwise, such users are rejected. */
    withAdministrators: z.boolean().default(false),
    /** If true, hooks receive `User.Created` for each user that the call creates. */
    withEvents: z.boolean().default(false),
  })
  .meta({ id: 'UserImport' })

export const ImportResult = z.object({
  index: z.number().int(),
  status: z.enum(['created', 'existing', 'rejected']),
  id: z.string().optional(),
  error: ErrorBodySchema.optional(),
})
export type ImportResult = z.infer<typeof ImportResult>

export const UserImportResponse = z
  .object({ results: z.array(ImportResult) })
  .meta({ id: 'UserImportResponse' })

export const MAX_USERS_PER_EXPORT = 500

export const UserExport = z
  .object({
    users: z.array(ImportedUser),
    next: z.string().nullable(),
  })
  .meta({ id: 'UserExport' })
