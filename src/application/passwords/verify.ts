import { type Refusal, refuse } from '../../contract/errors.ts'
import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import { orRefuse } from '../../contract/refused.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import type { Database } from '../../storage/database.ts'
import { CURRENT_METHOD, hashPassword, verifyPassword } from '../../storage/passwords/password-hash.ts'
import { dummyHashesFor, runDummyHashes } from '../../storage/passwords/password-work.ts'
import {
  type AttemptToCount as Counted,
  consumeAttempts,
  type NameLookup,
} from '../../storage/rate-limits.ts'
import { replacePasswordHash } from '../../storage/users/user-changes.ts'
import {
  type AccountWithWork,
  accountWithWorkQuery,
  type StrongestPassword,
  strongestPasswordQuery,
  type UserRow,
} from '../../storage/users/users.ts'
import { type CountedAttempt, refundAttempts, type VerificationDependencies } from '../attempts.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'

type PasswordAttempt = { event: InteractionEvent; name: NameLookup; password: string }

/** Counted in the round trip that reads the interaction (spec/accounts#password-limits). */
export async function attemptPassword(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { event, name, password }: PasswordAttempt,
): Promise<CountedAttempt> {
  const { db, settings } = dependencies
  const { open, tenantId, ip, audit, background } = call
  const { limits } = await dependencies.tenantSettings.get(tenantId)
  const now = dependencies.now()
  const browser = { trusted: await call.trustedBrowser(), name }
  const given = { limits, environment: settings.environment, browser, now }
  const { row, found } = await open.rowAnd({
    accounts: accountWithWorkQuery(db, tenantId, name),
    strongest: strongestPasswordQuery(db, tenantId),
    consumed: consumeAttempts(db, tenantId, passwordTries(name, ip), given),
  })
  const {
    accounts: [account],
    strongest: [strongest],
    consumed,
  } = found

  return {
    row,
    async prove() {
      const entry = audit.begin(`Interaction.${event}.Identifier.Password.Submit`, {}, { isCounted: true })
      orRefuse(refusesAttempts(consumed, now))
      // Also of a wrong password: its row is found by who looks after the account, and by its user.
      if (account) entry.add({ userId: account.id })
      const owner = await ownerByPassword(account, password, strongest)
      // Consumed before it was checked, so that attempts in parallel cannot all be the last one allowed. Only a wrong
      // password stays counted.
      if (owner) {
        const { id: userId } = owner.account
        background(() => refundAttempts(dependencies, tenantId, { consumed, outcome: 'accepted', userId }))
      }
      const { id, rehash } = orRefuse(checkOwner(owner))
      if (rehash) {
        background(() => strengthenHash(db, tenantId, rehash, password))
      }
      return { kind: 'account', userId: id, provenAt: now }
    },
  }
}

/**
 * The network first: one that guesses everywhere does not use up the attempts of any account. Its limit does not hold for
 * a trusted browser, so that its user can sign in beside a guesser.
 */
const passwordTries = (name: NameLookup, ip: string | undefined): Counted[] => [
  { limit: 'passwordTriesPerNetwork', ip },
  { limit: 'passwordTries', name },
  { limit: 'passwordTriesInARow', name },
]

type Owner = { account: AccountWithWork; isWeak: boolean }

/** Null when the password is not this account's. */
async function ownerByPassword(
  account: AccountWithWork | undefined,
  password: string,
  strongest: StrongestPassword | undefined,
): Promise<Owner | null> {
  const { ok, rehash } = await compareGuess(account, password, strongest)
  return account && ok ? { account, isWeak: rehash } : null
}

/** One refusal for all reasons but a suspension, which only the owner of the password learns. */
function checkOwner(owner: Owner | null): { id: string; rehash: AccountWithWork | null } | Refusal {
  if (!owner) return refuse('session.invalid_credentials')
  const { account, isWeak } = owner
  if (account.isSuspended) return refuse('user.suspended')
  return { id: account.id, rehash: isWeak ? account : null }
}

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
async function compareGuess(
  account: (PasswordColumns & { passwordWork: number }) | undefined,
  password: string,
  strongest: StrongestPassword | undefined,
): Promise<Comparison> {
  const comparison = account ? await comparePassword(account, password) : { ok: false, rehash: false }
  if (!comparison.ok) await runDummyHashes(dummyHashesFor(account?.passwordWork ?? 0, strongest), password)
  return comparison
}
