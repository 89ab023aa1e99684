/**
 * Determines how an account can sign in, so that users cannot remove their last sign-in method
 * (spec/accounts#last-sign-in-method).
 */
import type { Experience } from '../../contract/experience/experience.ts'
import { type IdentifierType, identifierTypes } from '../../contract/interactions/identifiers.ts'
import type { Account } from './accounts.ts'

export type SignInOption =
  | { by: 'identifier'; type: IdentifierType; needsPassword: boolean }
  | { by: 'identity'; target: string }
  /** Any passkey except the one with the credential id `except`, or any passkey if `except` is null. */
  | { by: 'passkey'; except: string | null }

type Offered = Pick<Experience, 'signIn' | 'socialSignInConnectorTargets' | 'forgotPassword' | 'passkeys'>

/**
 * The credential to be removed: an identity by its target, a passkey by its credential id, or an identifier by its
 * type.
 */
type Removed = { target: string } | { passkey: string } | { identifier: IdentifierType }

/**
 * Returns a sign-in method that the pages offer and that the account still has after the removal, or null if there is
 * none. A passkey is only a candidate, because only the database knows the account's passkeys. The caller must
 * therefore make `hasSignInOption` a condition of the removal.
 */
export function findRemainingSignInOption(
  removed: Removed,
  account: Account,
  offered: Offered,
): SignInOption | null {
  const option = identifierTypes
    .filter((type) => !('identifier' in removed && type === removed.identifier))
    .map((type) => optionBy(type, account, offered))
    .find((option) => option !== null)
  if (option) return option

  const other = offered.socialSignInConnectorTargets.find(
    (candidate) =>
      !('target' in removed && candidate === removed.target) && Object.hasOwn(account.identities, candidate),
  )
  if (other !== undefined) return { by: 'identity', target: other }
  if (!offered.passkeys) return null
  return { by: 'passkey', except: 'passkey' in removed ? removed.passkey : null }
}

function optionBy(
  type: IdentifierType,
  account: Account,
  { signIn, forgotPassword }: Offered,
): SignInOption | null {
  const method = signIn.methods.find(({ identifier }) => identifier === type)
  if (!method || account[type] === null) return null

  const byCode = type !== 'username' && method.verificationCode
  // A user without a password can set one through a password reset.
  const mayReset = type !== 'username' && forgotPassword[type]
  if (byCode || (method.password && mayReset)) return { by: 'identifier', type, needsPassword: false }
  return method.password && account.hasPassword ? { by: 'identifier', type, needsPassword: true } : null
}
