import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { factorAddress } from '../../domain/factors/second-factor.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import type { AttemptToCount } from '../../storage/rate-limits.ts'
import { accountsQuery, toAccount } from '../../storage/users/users.ts'
import type { VerificationDependencies } from '../counted-attempt.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { factorCall } from './factor-call.ts'

export type Channel = 'email' | 'phone'

type Attempt = {
  channel: Channel
  /** Of the audit log. */
  entry: 'Create' | 'Submit'
  counts: (userId: string) => AttemptToCount[]
}

/** The address of the pinned account that a code goes to, counted in the round trip that reads the interaction. */
export async function readFactorAddress(
  dependencies: Pick<VerificationDependencies, 'db' | 'now' | 'settings' | 'tenantSettings'>,
  call: InteractionCall,
  { channel, entry: kind, counts }: Attempt,
) {
  const { db } = dependencies
  const { tenantId, open, audit } = call
  const { owner, lookups, now, consume, policies, ownerIn } = await factorCall(dependencies, call, channel)
  const { row, found } = await open.rowAnd({
    ...policies,
    accounts: accountsQuery(db, tenantId, lookups),
    consumed: consume(counts),
  })
  const before = await open.record(row)
  const name = channel === 'email' ? 'EmailFactor' : 'PhoneFactor'
  const entry = audit.begin(`Interaction.${before.event}.Identifier.${name}.${kind}`, {
    userId: owner?.userId,
  })
  const { userId } = ownerIn(before, row, found)
  orRefuse(refusesAttempts(found.consumed, now))
  const [account] = found.accounts
  const address = account ? factorAddress(channel, toAccount(account), before) : null
  if (!address) return refuseWith('user.sign_in_method_not_enabled')
  return { before, entry, userId, address, now, consumed: found.consumed }
}
