import { type Refusal, refuse } from '../contract/errors.ts'
import type { InteractionEvent } from '../contract/identifiers.ts'
import { orRefuse } from '../contract/refused.ts'
import { networkOf, ofNetwork, refusesConsumption } from '../domain/limits.ts'
import { commit, notAudited } from '../storage/commit.ts'
import { refundAttempt } from '../storage/counters.ts'
import {
  CURRENT_METHOD,
  hashPassword,
  verifyPassword,
  verifyUnknownAccount,
} from '../storage/password-hash.ts'
import { type NameLookup, passwordAttempt } from '../storage/rate-limits.ts'
import { type AccountRow, accountsQuery, replacePasswordHash } from '../storage/users.ts'
import type { CountedAttempt, VerificationDependencies } from './counted-attempt.ts'
import type { InteractionCall } from './interaction-call.ts'

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
  const networkLimit = ofNetwork(limits.passwordTriesPerNetwork, settings.environment)
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
        background(() =>
          commit(db, {
            tenantId,
            statements: {
              byName: refundAttempt(db, tenantId, byName, limits.passwordTries),
              byNetwork: byNetwork && refundAttempt(db, tenantId, byNetwork, networkLimit),
            },
            audit: notAudited('the attempt is audited, not its counter'),
          }),
        )
      }
      const { id, rehash } = orRefuse(judgeOwner(owner))
      if (rehash) {
        // A weaker hash is replaced when its password is known (spec/accounts#password-hashing).
        background(async () =>
          replacePasswordHash(db, tenantId, rehash, {
            passwordEncrypted: await hashPassword(password),
            passwordEncryptionMethod: CURRENT_METHOD,
          }),
        )
      }
      return { kind: 'account', userId: id, provenAt: now }
    },
  }
}

type Owner = { account: AccountRow; isWeak: boolean }

/** Null when the password is not this account's. An unknown account costs the same work (spec/accounts#password-verification). */
async function ownerByPassword(account: AccountRow | undefined, password: string): Promise<Owner | null> {
  if (!account?.passwordEncrypted) {
    await verifyUnknownAccount(password)
    return null
  }
  const stored = { encoded: account.passwordEncrypted, method: account.passwordEncryptionMethod ?? 'Argon2i' }
  const { ok, rehash } = await verifyPassword(stored, password)
  return ok ? { account, isWeak: rehash } : null
}

/** One refusal for all reasons but a suspension, which only the owner of the password learns. */
function judgeOwner(owner: Owner | null): { id: string; rehash: AccountRow | null } | Refusal {
  if (!owner) return refuse('session.invalid_credentials')
  const { account, isWeak } = owner
  if (account.isSuspended) return refuse('user.suspended')
  return { id: account.id, rehash: isWeak ? account : null }
}
