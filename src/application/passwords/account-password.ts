import type { Database } from '../../storage/database.ts'
import { CURRENT_METHOD, hashPassword, verifyPassword } from '../../storage/passwords/password-hash.ts'
import { fillersFor, runFillers } from '../../storage/passwords/password-work.ts'
import { replacePasswordHash } from '../../storage/users/user-changes.ts'
import type { StrongestPassword, UserRow } from '../../storage/users/users.ts'

type PasswordColumns = Pick<UserRow, 'passwordEncrypted' | 'passwordEncryptionMethod'>

/** A new password, as it is stored. */
export async function passwordColumns(password: string): Promise<PasswordColumns> {
  return { passwordEncrypted: await hashPassword(password), passwordEncryptionMethod: CURRENT_METHOD }
}

/** A weaker hash is replaced when its password is known (spec/accounts#password-hashing). */
export async function strengthenHash(
  db: Database,
  tenantId: string,
  account: Pick<UserRow, 'id' | 'passwordEncrypted'>,
  password: string,
): Promise<void> {
  await replacePasswordHash(db, tenantId, account, await passwordColumns(password))
}

type Comparison = { ok: boolean; rehash: boolean }

/** Whether this is the password of an account that the caller knows, and whether its hash is weaker than a new one. */
export async function comparePassword(account: PasswordColumns, password: string): Promise<Comparison> {
  const { passwordEncrypted: encoded, passwordEncryptionMethod: method } = account
  if (!encoded) return { ok: false, rehash: false }
  return verifyPassword({ encoded, method: method ?? 'Argon2i' }, password)
}

/**
 * The same for an unauthenticated client. Every wrong password costs the work of the strongest one in the tenant, so the
 * time says neither whether there is an account nor where it came from (spec/accounts#equal-work).
 */
export async function compareGuess(
  account: (PasswordColumns & { passwordWork: number }) | undefined,
  password: string,
  strongest: StrongestPassword | undefined,
): Promise<Comparison> {
  const comparison = account ? await comparePassword(account, password) : { ok: false, rehash: false }
  if (!comparison.ok) await runFillers(fillersFor(account?.passwordWork ?? 0, strongest), password)
  return comparison
}
