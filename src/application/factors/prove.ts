import type { FactorPayload, IdentifierPayload } from '../../contract/interactions/identifiers.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { addProof } from '../../domain/interactions/interaction.ts'
import {
  acceptTotpStep,
  consumeBackupCode,
  digestBackupCode,
  type FactorOwner,
  openTotpSecret,
  totpQuery,
} from '../../storage/factors/factors.ts'
import { findMatchingTotpStep } from '../../storage/factors/totp.ts'
import type { VerificationDependencies } from '../attempts.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { proveSecurityKey } from '../passkeys/security-key.ts'
import { proveSentCode } from './codes.ts'
import { prepareFactorCall } from './factor-call.ts'

/**
 * Verifies a second factor of the account that was pinned when the interaction was submitted
 * (spec/interaction#second-factor).
 */
export function proveFactor(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  payload: FactorPayload,
): Promise<void> {
  if ('totpCode' in payload || 'backupCode' in payload)
    return proveAppOrBackupCode(dependencies, call, payload)
  if ('securityKey' in payload) return proveSecurityKey(dependencies, call, payload.securityKey)
  return proveSentCode(dependencies, call, payload)
}

type KeyOf<Union> = Union extends unknown ? keyof Union : never

const factorFields: Record<KeyOf<FactorPayload>, true> = {
  totpCode: true,
  backupCode: true,
  emailCode: true,
  phoneCode: true,
  securityKey: true,
}

export const isFactorPayload = (payload: IdentifierPayload | FactorPayload): payload is FactorPayload =>
  Object.keys(payload).some((field) => field in factorFields)

type AppOrBackupCode = Extract<FactorPayload, { totpCode: string } | { backupCode: string }>

/**
 * Verifies a code. The attempt is counted in the round trip that reads the interaction, and the code is consumed in a
 * second one.
 */
async function proveAppOrBackupCode(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  payload: AppOrBackupCode,
): Promise<void> {
  const { db } = dependencies
  const { open, audit, background } = call
  const [kind, limit] =
    'totpCode' in payload ? (['totp', 'totpTries'] as const) : (['backupCode', 'backupCodeTries'] as const)
  const {
    owner: pinned,
    attempts,
    now,
    count,
    policies,
    ownerIn,
  } = await prepareFactorCall(dependencies, call, kind)
  const { row, results } = await open.readWith({
    consumed: count((id) => [{ limit, id }]),
    ...policies,
    factors: pinned && kind === 'totp' ? [totpQuery(db, pinned)] : [],
  })
  const before = await open.record(row)
  const entryOf = { totp: 'Totp', backupCode: 'BackupCode' }[kind]
  audit.begin(`Interaction.${before.event}.Identifier.${entryOf}.Submit`, { userId: pinned?.userId })
  const owner = ownerIn(before, row, results)
  const { consumed, factors } = results
  throwIfRefused(attempts.refusal(consumed))

  const isRight =
    'totpCode' in payload
      ? await acceptsTotp(dependencies, owner, { factor: factors[0], code: payload.totpCode, now })
      : await acceptsBackupCode(dependencies, owner, payload.backupCode)
  if (!isRight) refuseWith('session.invalid_second_factor')
  // As with passwords, only wrong codes count against the limit.
  background(() => attempts.refund(consumed))
  await open.save(addProof(before, { kind, userId: owner.userId, provenAt: now }))
}

type CodeDependencies = Pick<Dependencies, 'db' | 'seals'>

type TotpAttempt = { factor: { secret: string } | undefined; code: string; now: number }

/**
 * Consumes a code. Of several concurrent requests with the same code, only one succeeds (spec/accounts#second-factors).
 */
async function acceptsTotp(
  { db, seals }: CodeDependencies,
  owner: FactorOwner,
  { factor, code, now }: TotpAttempt,
): Promise<boolean> {
  if (!factor) return false
  const secret = await openTotpSecret(seals, owner, factor.secret)
  const step = secret === null ? null : await findMatchingTotpStep(secret, code, now)
  if (step === null) return false
  return (await acceptTotpStep(db, owner, { secret: factor.secret, step, now })).length > 0
}

async function acceptsBackupCode(
  { db, seals }: CodeDependencies,
  owner: FactorOwner,
  code: string,
): Promise<boolean> {
  const digests = await digestBackupCode(seals, owner.tenantId, code)
  return digests.length > 0 && (await consumeBackupCode(db, owner, digests)).length > 0
}
