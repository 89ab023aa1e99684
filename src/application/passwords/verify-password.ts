import { type Refusal, refuse } from '../../contract/errors.ts'
import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import { orRefuse } from '../../contract/refused.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import {
  type AttemptToCount as Counted,
  consumeAttempts,
  type NameLookup,
} from '../../storage/rate-limits.ts'
import {
  type AccountWithWork,
  accountWithWorkQuery,
  type StrongestPassword,
  strongestPasswordQuery,
} from '../../storage/users/users.ts'
import type { CountedAttempt, VerificationDependencies } from '../counted-attempt.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { refundAttempts } from '../refund-attempts.ts'
import { compareGuess, strengthenHash } from './account-password.ts'

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
