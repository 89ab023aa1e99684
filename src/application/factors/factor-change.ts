import { orRefuse, refuseWith } from '../../contract/refused.ts'
import type { FactorHolding } from '../../domain/factors/second-factor.ts'
import { refuseOldProof } from '../../domain/sessions/verification.ts'
import type { Statements } from '../../storage/batches.ts'
import { commitChange, type OutboxEvents } from '../../storage/commit.ts'
import { allOf, type Condition } from '../../storage/conditions.ts'
import { isAllowed } from '../../storage/factors/factors.ts'
import { forgetRememberedIf, isUnrevoked } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ToldOccasion } from '../hooks/account-events.ts'
import type { PasskeyAddition } from '../passkeys/new-passkey.ts'
import { recentProof } from '../sessions/recent-proof.ts'

export type FactorDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'seals' | 'tenantSettings' | 'experience' | 'deliveries'
>

export type FactorChange = Pick<PasskeyAddition, 'audit' | 'message' | 'background'> & {
  tenantId: string
  signedIn: Parameters<typeof recentProof>[2]
}

/** By a user who has just proved to be present, with a message to every address of the account. */
export async function changeFactors(
  dependencies: FactorDependencies,
  { tenantId, signedIn, audit, message, background }: FactorChange,
  {
    statementsOf,
    eventsOf,
    needs,
  }: {
    statementsOf: (
      condition: Condition,
    ) => Statements & { outboxIds?: never; isMade?: never; browsers?: never }
    eventsOf: (occasion: ToldOccasion) => OutboxEvents
    /** What the user must have before. */
    needs?: (holding: FactorHolding) => boolean
  },
): Promise<void> {
  const { db, now, deliveries } = dependencies
  const { user } = signedIn
  const owner = { tenantId, userId: user.id }
  const { isProven, holding } = await recentProof(dependencies, tenantId, signedIn)
  if (needs && !(holding && needs(holding))) refuseWith('entity.not_found')
  const condition = allOf(isProven, isUnrevoked(tenantId, user))
  const entry = audit.success()
  const { isMade, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: entry,
    outbox: eventsOf({ ...owner, applicationId: signedIn.token.clientId, message, entry, now: now() }),
    statements: {
      isMade: isAllowed(db, condition),
      ...statementsOf(condition),
      browsers: forgetRememberedIf(db, owner, condition, now()),
    },
  })
  if (isMade.length === 0) orRefuse(refuseOldProof())
  background(() => deliveries.sendNotices(owner))
  if (outboxIds.length > 0) background(() => deliveries.send(tenantId, outboxIds))
}
