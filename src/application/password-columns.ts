import { CURRENT_METHOD, hashPassword } from '../storage/password-hash.ts'
import type { UserRow } from '../storage/users.ts'

/** A new password, as it is stored. */
export async function passwordColumns(
  password: string,
): Promise<Pick<UserRow, 'passwordEncrypted' | 'passwordEncryptionMethod'>> {
  return { passwordEncrypted: await hashPassword(password), passwordEncryptionMethod: CURRENT_METHOD }
}
