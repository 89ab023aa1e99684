import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import type { NameLookup } from '../../storage/counter-keys.ts'
import type { Database } from '../../storage/database.ts'
import { CURRENT_METHOD, hashPassword, verifyPassword } from '../../storage/passwords/password-hash.ts'
import { runDummyHashes, selectDummyHashes } from '../../storage/passwords/password-work.ts'
import { replacePasswordHash } from '../../storage/users/user-changes.ts'
import {
  accountWithHashCostQuery,
  type CostliestHash,
  costliestHashQuery,
  type UserRow,
} from '../../storage/users/users.ts'
import {
  type CountedAttempt,
  createTenantAttemptLimiter,
  type VerificationDependencies,
} from '../attempts.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'

type PasswordAttempt = { event: InteractionEvent; name: NameLookup; password: string }

/**
 * Attempts a sign-in with a password. The attempt is counted in the round trip that reads the interaction
 * (spec/accounts#password-limits).
 */
export async function attemptPassword(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { event, name, password }: PasswordAttempt,
): Promise<CountedAttempt> {
  const { db } = dependencies
  const { open, tenantId, ip, audit, background } = call
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId, {
    trusted: await call.trustedBrowser(),
    name,
  })
  const { row, results } = await open.readWith({
    accounts: accountWithHashCostQuery(db, tenantId, name),
    strongest: costliestHashQuery(db, tenantId),
    consumed: attempts.count([
      // The per-network limit is checked first, so that a network that attacks many accounts does not use up their
      // limits. Trusted browsers are exempt, so that users on the attacker's network can still sign in.
      { limit: 'passwordTriesPerNetwork', ip },
      { limit: 'passwordTries', name },
      { limit: 'passwordTriesInARow', name },
    ]),
  })
  const {
    accounts: [account],
    strongest: [strongest],
    consumed,
  } = results

  return {
    row,
    async prove() {
      const entry = audit.begin(`Interaction.${event}.Identifier.Password.Submit`, {}, { isCounted: true })
      throwIfRefused(attempts.refusal(consumed))
      // Also set if the password is wrong, so that operators and the user can find the audit row by account.
      if (account) entry.add({ userId: account.id })
      const { ok, rehash } = await compareGuess(account, password, strongest)
      // All failures return the same error, except that users who know the password learn that the account is
      // suspended.
      if (!account || !ok) return refuseWith('session.invalid_credentials')
      const { id: userId } = account
      // Only wrong passwords count against the limit.
      background(() => attempts.refund(consumed, { userId }))
      if (account.isSuspended) refuseWith('user.suspended')
      if (rehash) background(() => replaceWeakHash(db, tenantId, account, password))
      return { kind: 'account', userId, provenAt: attempts.circumstances.now }
    },
  }
}

type PasswordColumns = Pick<UserRow, 'passwordEncrypted' | 'passwordEncryptionMethod'>

/** Hashes a new password and returns the columns in which it is stored. */
export async function preparePasswordColumns(password: string): Promise<PasswordColumns> {
  return { passwordEncrypted: await hashPassword(password), passwordEncryptionMethod: CURRENT_METHOD }
}

/**
 * Replaces a weak password hash during a sign-in, when the plain password is known (spec/accounts#password-hashing).
 */
export async function replaceWeakHash(
  db: Database,
  tenantId: string,
  account: Pick<UserRow, 'id' | 'passwordEncrypted'>,
  password: string,
): Promise<void> {
  await replacePasswordHash(db, tenantId, account, await preparePasswordColumns(password))
}

type Comparison = { ok: boolean; rehash: boolean }

/** Checks whether a password matches an account, and whether the stored hash is weaker than a new one would be. */
export async function comparePassword(account: PasswordColumns, password: string): Promise<Comparison> {
  const { passwordEncrypted: encoded, passwordEncryptionMethod: method } = account
  if (!encoded) return { ok: false, rehash: false }
  return verifyPassword({ encoded, method: method ?? 'Argon2i' }, password)
}

/**
 * Checks a password for an unauthenticated client. Rejecting a wrong password always takes as much work as the tenant's
 * strongest hash. The response time therefore reveals neither whether the account exists nor where it was imported from
 * (spec/accounts#equal-work).
 */
async function compareGuess(
  account: (PasswordColumns & { passwordWork: number }) | undefined,
  password: string,
  strongest: CostliestHash | undefined,
): Promise<Comparison> {
  const comparison = account ? await comparePassword(account, password) : { ok: false, rehash: false }
  if (!comparison.ok) await runDummyHashes(selectDummyHashes(account?.passwordWork ?? 0, strongest), password)
  return comparison
}
