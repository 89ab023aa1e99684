import {
  acceptTotpStep,
  backupCodeDigests,
  consumeBackupCode,
  type FactorOwner,
  totpLabel,
} from '../../storage/factors/factors.ts'
import { matchingStep } from '../../storage/factors/totp.ts'
import type { Dependencies } from '../dependencies.ts'

/** Uses a code of a second factor: true for the one request that does (spec/accounts#second-factors). */

type CodeDependencies = Pick<Dependencies, 'db' | 'seals'>

type Totp = { factor: { secret: string } | undefined; code: string; now: number }

export async function acceptsTotp(
  { db, seals }: CodeDependencies,
  owner: FactorOwner,
  { factor, code, now }: Totp,
): Promise<boolean> {
  const opened = factor && (await seals.open(totpLabel(owner.tenantId, owner.userId), factor.secret))
  const step = typeof opened === 'string' ? await matchingStep(opened, code, now) : null
  if (!factor || step === null) return false
  return (await acceptTotpStep(db, owner, { secret: factor.secret, step, now })).length > 0
}

export async function acceptsBackupCode(
  { db, seals }: CodeDependencies,
  owner: FactorOwner,
  code: string,
): Promise<boolean> {
  const digests = await backupCodeDigests(seals, owner.tenantId, code)
  return digests.length > 0 && (await consumeBackupCode(db, owner, digests)).length > 0
}
