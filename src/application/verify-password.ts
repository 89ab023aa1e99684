import { type Refusal, refuse } from '../contract/errors.ts'
import type { InteractionEvent } from '../contract/identifiers.ts'
import { orRefuse } from '../contract/refused.ts'
import { limitPerNetwork, networkOf, refusesConsumption } from '../domain/limits.ts'
import { type NameLookup, passwordAttempt } from '../storage/rate-limits.ts'
import { type AccountRow, accountsQuery, replacePasswordHash } from '../storage/users.ts'
import { comparePassword, passwordColumns } from './account-password.ts'
import type { CountedAttempt, VerificationDependencies } from './counted-attempt.ts'
import type { InteractionCall } from './interaction-call.ts'
import { refundAttempts } from './refund-attempts.ts'

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
  const browser = await call.trustedBrowser()
  const networkLimit = limitPerNetwork(limits.passwordTriesPerNetwork, settings.environment)
  const { row, found } = await open.rowAnd({
    accounts: accountsQuery(db, tenantId, [name]),
    ...passwordAttempt(db, tenantId, { name, limits, browser, now, network: networkOf(ip), networkLimit }),
  })
  const {
    accounts: [account],
    byNetwork: [byNetwork],
    byName: [byName],
  } = found

  return {
    row,
    async prove() {
      audit.begin(`Interaction.${event}.Identifier.Password.Submit`)
      orRefuse(refusesConsumption(byNetwork, networkLimit, now))
      orRefuse(refusesConsumption(byName, limits.passwordTries, now))
      const owner = await ownerByPassword(account, password)
      // Consumed before it was judged, so that attempts in parallel cannot all be the last one allowed. Only a wrong
      // password stays counted.
      if (byName && owner) {
        const consumed = [
          { counter: byName, limit: limits.passwordTries },
          ...(byNetwork ? [{ counter: byNetwork, limit: networkLimit }] : []),
        ]
        background(() => refundAttempts(dependencies, tenantId, consumed))
      }
      const { id, rehash } = orRefuse(judgeOwner(owner))
      if (rehash) {
        // A weaker hash is replaced when its password is known (spec/accounts#password-hashing).
        background(async () => replacePasswordHash(db, tenantId, rehash, await passwordColumns(password)))
      }
      return { kind: 'account', userId: id, provenAt: now }
    },
  }
}

type Owner = { account: AccountRow; isWeak: boolean }

/** Null when the password is not this account's. */
async function ownerByPassword(account: AccountRow | undefined, password: string): Promise<Owner | null> {
  const { ok, rehash } = await comparePassword(account, password)
  return account && ok ? { account, isWeak: rehash } : null
}

/** One refusal for all reasons but a suspension, which only the owner of the password learns. */
function judgeOwner(owner: Owner | null): { id: string; rehash: AccountRow | null } | Refusal {
  if (!owner) return refuse('session.invalid_credentials')
  const { account, isWeak } = owner
  if (account.isSuspended) return refuse('user.suspended')
  return { id: account.id, rehash: isWeak ? account : null }
}
