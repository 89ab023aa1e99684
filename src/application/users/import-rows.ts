import { type Refusal, refuse } from '../../contract/errors.ts'
import { USER_ID_LENGTH } from '../../contract/ids.ts'
import type { ImportedUser } from '../../contract/users/user-import.schema.ts'
import type { ImportCandidate } from '../../domain/users/user-import.ts'
import { totpLabel } from '../../storage/factors/factors.ts'
import { randomId } from '../../storage/ids.ts'
import {
  CURRENT_METHOD,
  detectHashMethod,
  findDigestProblem,
  hashPassword,
  type StoredPassword,
} from '../../storage/passwords/password-hash.ts'
import type { Seals } from '../../storage/seal.ts'
import { type PasswordMethod, passwordMethods } from '../../storage/tables.ts'
import { createUserRow } from '../../storage/users/user-changes.ts'
import type { ImportedRow } from '../../storage/users/user-import.ts'
import type { PreparedFactors } from '../factors/import.ts'

type Replaced = 'id' | 'createdAt' | 'passwordDigest' | 'passwordAlgorithm' | 'totpSecret' | 'passkeys'

/**
 * An imported user with an id. The password is either a hash in a supported format or plain text that has yet to be
 * hashed.
 */
export type PreparedUser = Omit<ImportedUser, Replaced> & {
  id: string
  createdAt: number
  stored: StoredPassword | null
  factors: PreparedFactors
}

export function prepareUser(
  { passwordDigest, passwordAlgorithm, totpSecret: _secret, passkeys: _passkeys, ...user }: ImportedUser,
  factors: PreparedFactors,
  now: number,
): PreparedUser | Refusal {
  const stored = storedPassword(passwordDigest, passwordAlgorithm)
  if (stored && 'code' in stored) return stored
  const id = user.id ?? randomId(USER_ID_LENGTH)
  return { ...user, id, createdAt: user.createdAt ?? now, stored, factors }
}

function storedPassword(
  encoded: string | undefined,
  algorithm: string | undefined,
): StoredPassword | Refusal | null {
  if (encoded === undefined) return null
  const method = algorithm === undefined ? detectHashMethod(encoded) : methodNamed(algorithm)
  if (!method) return refuse('password.unsupported_encryption_method')
  const problem = findDigestProblem({ encoded, method })
  return problem ? refuse('password.invalid_digest', { problem }) : { encoded, method }
}

/** The comparison ignores case: other systems write `argon2id` and `pbkdf2`. */
const methodNamed = (algorithm: string): PasswordMethod | undefined =>
  passwordMethods.find((method) => method.toLowerCase() === algorithm.toLowerCase())

export const toImportCandidate = ({
  id,
  username,
  primaryEmail,
  primaryPhone,
  identities = {},
  roleNames = [],
  password,
  factors,
}: PreparedUser): ImportCandidate => ({
  id,
  username: username ?? null,
  email: primaryEmail ?? null,
  phone: primaryPhone ?? null,
  identities: Object.fromEntries(Object.entries(identities).map(([target, { userId }]) => [target, userId])),
  roleNames,
  needsHash: password !== undefined,
  passkeys: factors.passkeys.map(({ credentialId }) => credentialId),
})

export async function toImportedRow(
  { seals }: { seals: Seals },
  tenantId: string,
  { stored, password, roleNames = [], factors, ...user }: PreparedUser,
  roleIds: ReadonlyMap<string, string>,
): Promise<ImportedRow> {
  const passwordHash = password === undefined ? stored : await hashed(password)
  const { totpSecret, passkeys } = factors
  return {
    ...createUserRow(user),
    passkeys,
    totp: totpSecret === null ? null : await seals.seal(totpLabel(tenantId, user.id), totpSecret),
    passwordEncrypted: passwordHash?.encoded ?? null,
    passwordEncryptionMethod: passwordHash?.method ?? null,
    roleIds: [...new Set(roleNames)].flatMap((name) => roleIds.get(name) ?? []),
  }
}

const hashed = async (password: string): Promise<StoredPassword> => ({
  encoded: await hashPassword(password),
  method: CURRENT_METHOD,
})
