/** The sign-in options of an account, so that no user removes the last one (spec/accounts#last-sign-in-method). */
import type { Experience } from '../contract/experience.ts'
import { type IdentifierType, identifierTypes } from '../contract/identifiers.ts'
import type { Account } from './accounts.ts'

export type SignInOption =
  | { by: 'identifier'; type: IdentifierType; needsPassword: boolean }
  | { by: 'identity'; target: string }

type Offered = Pick<Experience, 'signIn' | 'signUp' | 'socialSignInConnectorTargets' | 'forgotPassword'>

/** An option that the pages offer and the account has, other than the identity of this target; null when there is none. */
export function signInOptionWithout(target: string, account: Account, offered: Offered): SignInOption | null {
  const option = identifierTypes
    .map((type) => optionBy(type, account, offered))
    .find((found) => found !== null)
  if (option) return option

  const other = offered.socialSignInConnectorTargets.find(
    (candidate) => candidate !== target && Object.hasOwn(account.identities, candidate),
  )
  return other === undefined ? null : { by: 'identity', target: other }
}

function optionBy(
  type: IdentifierType,
  account: Account,
  { signIn, signUp, forgotPassword }: Offered,
): SignInOption | null {
  const method = signIn.methods.find(({ identifier }) => identifier === type)
  if (!method || account[type] === null) return null

  // Where users sign up with an address, they can sign in with a code to it (spec/interaction#settings-checks).
  const byCode =
    type !== 'username' && (method.verificationCode || signUp.identifiers.includes(type) || signUp.verify)
  // A user without a password can set one by resetting it.
  const mayReset = type !== 'username' && forgotPassword[type]
  if (byCode || (method.password && mayReset)) return { by: 'identifier', type, needsPassword: false }
  return method.password && account.hasPassword ? { by: 'identifier', type, needsPassword: true } : null
}
