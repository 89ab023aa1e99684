import type { FactorPayload } from '../../contract/interactions/identifiers.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { addProof } from '../../domain/interactions/interaction.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { totpQuery } from '../../storage/factors/factors.ts'
import type { VerificationDependencies } from '../counted-attempt.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { refundAttempts } from '../refund-attempts.ts'
import { factorCall } from './factor-call.ts'
import { acceptsBackupCode, acceptsTotp } from './factor-codes.ts'

/** What is compared with something that the user keeps. */
type KeptCode = Extract<FactorPayload, { totpCode: string } | { backupCode: string }>

/**
 * A second factor of the account that a submit has named, counted in the round trip that reads the interaction; the second
 * round trip uses the code (spec/interaction#second-factor).
 */
export async function proveKeptCode(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  payload: KeptCode,
): Promise<void> {
  const { db } = dependencies
  const { tenantId, open, audit, background } = call
  const [kind, limit] =
    'totpCode' in payload ? (['totp', 'totpTries'] as const) : (['backupCode', 'backupCodeTries'] as const)
  const { owner: asked, now, consume, policies, ownerIn } = await factorCall(dependencies, call, kind)
  const { row, found } = await open.rowAnd({
    consumed: consume((id) => [{ limit, id }]),
    ...policies,
    factors: asked && kind === 'totp' ? [totpQuery(db, asked)] : [],
  })
  const before = await open.record(row)
  const entryOf = { totp: 'Totp', backupCode: 'BackupCode' }[kind]
  audit.begin(`Interaction.${before.event}.Identifier.${entryOf}.Submit`, { userId: asked?.userId })
  const owner = ownerIn(before, row, found)
  const { consumed, factors } = found
  orRefuse(refusesAttempts(consumed, now))

  const isRight =
    'totpCode' in payload
      ? await acceptsTotp(dependencies, owner, { factor: factors[0], code: payload.totpCode, now })
      : await acceptsBackupCode(dependencies, owner, payload.backupCode)
  if (!isRight) refuseWith('session.invalid_second_factor')
  // As for passwords: only a wrong code stays counted.
  background(() => refundAttempts(dependencies, tenantId, { consumed, outcome: 'accepted' }))
  await open.save(addProof(before, { kind, userId: owner.userId, provenAt: now }))
}
