import { z } from 'zod'
import { Email, NewPassword, Phone, Username } from './identifiers.schema.ts'
import { clearable, text, WebAddress } from './text.schema.ts'
import { CustomData, fitsCustomData } from './users.schema.ts'

/** Users on their way in and out, many at once. What export answers is what import takes. */

/** Letters and digits (spec 3), and no name of a call below /users. */
const UserId = z
  .string()
  .regex(/^[\dA-Za-z]{1,12}$/, 'is not 1 to 12 letters and digits')
  .refine((id) => id !== 'export' && id !== 'import', 'is the name of a call')

/** Epoch milliseconds, up to where dates end. */
const Time = z.number().int().min(0).max(8.64e15)

const Name = text(128)

const Identity = z.strictObject({
  userId: text(256).min(1),
  details: z
    .strictObject({
      id: text(256),
      email: Name.optional(),
      phone: Name.optional(),
      name: Name.optional(),
      avatar: text(2048).optional(),
    })
    .optional(),
})

const absentWhenEmpty = <T extends z.ZodType>(schema: T) => clearable(schema).optional()

/** Strict: a misspelt column would otherwise be lost in silence, for every user of a file. */
export const ImportedUser = z
  .strictObject({
    id: UserId.optional(),
    username: absentWhenEmpty(Username),
    primaryEmail: absentWhenEmpty(Email),
    primaryPhone: absentWhenEmpty(Phone),
    name: absentWhenEmpty(Name),
    avatar: absentWhenEmpty(WebAddress),
    customData: CustomData.refine(fitsCustomData, 'is too large').optional(),
    identities: z.record(Name.min(1), Identity).optional(),
    /** In a form of decision 13; `src/storage/password-hash.ts` has the table of them. */
    passwordDigest: text(512).min(1).optional(),
    /** How the digest was made; without it, the digest itself says so. */
    passwordAlgorithm: Name.optional(),
    password: NewPassword.optional(),
    isSuspended: z.boolean().optional(),
    createdAt: Time.optional(),
    lastSignInAt: Time.nullable().optional(),
    roleNames: z.array(Name).max(50).optional(),
  })
  .refine(({ password, passwordDigest }) => password === undefined || passwordDigest === undefined, {
    path: ['password'],
    message: 'is given beside passwordDigest',
  })
export type ImportedUser = z.infer<typeof ImportedUser>

/** As many as one transaction of the database takes lightly. Ours. */
export const MOST_IMPORTED = 200

/** POST /users/import. Every entry is judged by itself, so here each may be anything. */
export const UserImport = z.object({
  users: z
    .array(z.union([ImportedUser, z.unknown()]))
    .min(1)
    .max(MOST_IMPORTED),
  /** Without it, users with internal roles are refused. */
  withAdministrators: z.boolean().default(false),
})

export const ImportResult = z.object({
  index: z.number().int(),
  status: z.enum(['created', 'existing', 'rejected']),
  id: z.string().optional(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      data: z.unknown().optional(),
      details: z.string().optional(),
    })
    .optional(),
})
export type ImportResult = z.infer<typeof ImportResult>

export const UserImportAnswer = z.object({ results: z.array(ImportResult) })

export const MOST_EXPORTED = 500

export const UserExport = z.object({
  users: z.array(ImportedUser),
  next: z.string().nullable(),
})
