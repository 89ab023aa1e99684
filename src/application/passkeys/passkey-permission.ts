import type { PasskeyCreation } from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import { mayCreate, signInOf } from '../../domain/passkeys/passkey-offer.ts'
import type { RowsByName } from '../../storage/batches.ts'
import { type Condition, isAlwaysTrue } from '../../storage/conditions.ts'
import { hasNoOtherTotp } from '../../storage/factors/factors.ts'
import type { creationQueries } from '../../storage/passkeys/passkey-creation.ts'
import { toAccount, type UserRow } from '../../storage/users/users.ts'
import { levelFacts } from '../sessions/own-level.ts'

/** What decides whether the user of a finished sign-in may make a passkey (spec/accounts#passkey-offer). */

type FoundRows = RowsByName<ReturnType<typeof creationQueries>>

type SignIn = { tenantId: string; user: UserRow; amr: readonly string[]; request: Record<string, unknown> }

/** Refuses what is not offered either. Answers the condition under which that stays so. */
export function requireCreation(
  creation: PasskeyCreation,
  settings: Parameters<typeof levelFacts>[0],
  { tenantId, user, ...proven }: SignIn,
  { passkeys, used, ...found }: FoundRows,
): Condition {
  // The one passkey is made: the batch refuses another one.
  if (used.length > 0) return isAlwaysTrue
  const signIn = signInOf(toAccount(user), levelFacts(settings, found), proven)
  const credentialIds = passkeys.map(({ id }) => id)
  if (!mayCreate(creation, signIn, { credentialIds })) refuseWith('auth.forbidden')
  const hasApp = found.holdings.some(({ totp }) => totp)
  return hasApp ? isAlwaysTrue : hasNoOtherTotp({ tenantId, userId: user.id }, null)
}
