import {
  CURRENT_METHOD,
  hashPassword,
  verifyPassword,
  verifyUnknownAccount,
} from '../storage/password-hash.ts'
import type { UserRow } from '../storage/users.ts'

type PasswordColumns = Pick<UserRow, 'passwordEncrypted' | 'passwordEncryptionMethod'>

/** A new password, as it is stored. */
export async function passwordColumns(password: string): Promise<PasswordColumns> {
  return { passwordEncrypted: await hashPassword(password), passwordEncryptionMethod: CURRENT_METHOD }
}

/**
 * Whether this is the password of the account, and whether its hash is weaker than a new one. An unknown account, or one
 * without a password, costs the same work as a wrong password (spec/accounts#password-verification).
 */
export async function comparePassword(
  account: PasswordColumns | undefined,
  password: string,
): Promise<{ ok: boolean; rehash: boolean }> {
  if (!account?.passwordEncrypted) return verifyUnknownAccount(password)
  const { passwordEncrypted: encoded, passwordEncryptionMethod: method } = account
  return verifyPassword({ encoded, method: method ?? 'Argon2i' }, password)
}
