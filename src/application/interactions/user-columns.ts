import type { NewUser } from '../../domain/interactions/submit-columns.ts'
import type { UserChanges } from '../../storage/users/user-changes.ts'
import { passwordColumns } from '../passwords/account-password.ts'

/** The columns of what a submit sets; a password is hashed. */
export async function userColumnsOf({
  username,
  email,
  phone,
  emailVerified,
  phoneVerified,
  password,
  name,
  avatar,
}: NewUser): Promise<Omit<UserChanges, 'addIdentities' | 'removeIdentity' | 'profile'>> {
  return {
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { primaryEmail: email, emailVerified: true }),
    ...(phone === undefined ? {} : { primaryPhone: phone, phoneVerified: true }),
    ...(emailVerified && { emailVerified }),
    ...(phoneVerified && { phoneVerified }),
    ...(name === undefined ? {} : { name }),
    ...(avatar === undefined ? {} : { avatar }),
    ...(password === undefined ? {} : await passwordColumns(password)),
  }
}
