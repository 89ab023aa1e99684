/** How somebody gets into their account, so that nobody takes the last way from themselves. */
import type { Experience } from '../contract/experience.ts'
import { type IdentifierType, identifierTypes } from '../contract/identifiers.ts'
import type { Account } from './accounts.ts'

export type WayIn =
  | { by: 'identifier'; type: IdentifierType; needsPassword: boolean }
  | { by: 'identity'; target: string }

type Offered = Pick<Experience, 'signIn' | 'signUp' | 'socialSignInConnectorTargets' | 'forgotPassword'>

/** One that the sign-in pages offer and this account has, other than the identity of this target; null when there is none. */
export function wayInWithout(target: string, account: Account, offered: Offered): WayIn | null {
  const way = identifierTypes.map((type) => wayBy(type, account, offered)).find((found) => found !== null)
  if (way) return way

  const other = offered.socialSignInConnectorTargets.find(
    (candidate) => candidate !== target && Object.hasOwn(account.identities, candidate),
  )
  return other === undefined ? null : { by: 'identity', target: other }
}

function wayBy(
  type: IdentifierType,
  account: Account,
  { signIn, signUp, forgotPassword }: Offered,
): WayIn | null {
  const method = signIn.methods.find(({ identifier }) => identifier === type)
  if (!method || account[type] === null) return null

  // Contract 2.3: where people sign up with an address, they sign in with a code to it.
  const byCode =
    type !== 'username' && (method.verificationCode || signUp.identifiers.includes(type) || signUp.verify)
  // Who has none may set one by way of a forgotten password.
  const mayReset = type !== 'username' && forgotPassword[type]
  if (byCode || (method.password && mayReset)) return { by: 'identifier', type, needsPassword: false }
  return method.password && account.hasPassword ? { by: 'identifier', type, needsPassword: true } : null
}
