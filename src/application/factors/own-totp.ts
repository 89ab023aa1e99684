import { refuseWith } from '../../contract/refused.ts'
import {
  newBackupCodes,
  replaceBackupCodesIf,
  replaceTotpIf,
  totpLabel,
} from '../../storage/factors/factors.ts'
import { isAskedBesideTenant } from '../../storage/factors/second-factor-policies.ts'
import { matchingStep } from '../../storage/factors/totp.ts'
import { totpReplaced } from '../hooks/account-events.ts'
import { requireRecentProof } from '../sessions/recent-proof.ts'
import { changeFactors, type FactorChange, type FactorDependencies } from './factor-change.ts'
import { inviteToTotp, openEnrolment, type TotpEnrolment } from './totp-enrolment.ts'

/** A signed-in user sets up an authenticator app (spec/accounts#factor-changes). */

type FactorRequest = Omit<FactorChange, 'audit'>

export async function beginOwnTotp(
  dependencies: FactorDependencies,
  { tenantId, signedIn, message }: FactorRequest,
): Promise<TotpEnrolment> {
  const { db, tenantSettings } = dependencies
  const { secondFactor } = await tenantSettings.get(tenantId)
  const isAsked = secondFactor.policy !== 'off' || (await isAskedBesideTenant(db, tenantId))
  if (!isAsked || !secondFactor.factors.includes('totp')) refuseWith('user.sign_in_method_not_enabled')
  await requireRecentProof(dependencies, tenantId, signedIn)
  return inviteToTotp(dependencies, { tenantId, user: signedIn.user, host: message.host })
}

/** In place of the app before; its backup codes are replaced, too. */
export async function addOwnTotp(
  dependencies: FactorDependencies,
  { enrolment, totpCode, ...change }: FactorChange & { enrolment: string; totpCode: string },
): Promise<string[]> {
  const { db, now, seals } = dependencies
  const owner = { tenantId: change.tenantId, userId: change.signedIn.user.id }
  const shown = await openEnrolment(dependencies, owner, enrolment)
  if (shown === null) return refuseWith('session.verification_session_not_found')
  const step = await matchingStep(shown, totpCode, now())
  if (step === null) return refuseWith('session.invalid_second_factor')
  const { codes, digests } = await newBackupCodes(seals, owner.tenantId)
  const secret = await seals.seal(totpLabel(owner.tenantId, owner.userId), shown)
  await changeFactors(dependencies, change, {
    statementsOf: (condition) => ({
      totp: replaceTotpIf(db, owner, condition, { secret, step, now: now() }),
      codes: replaceBackupCodesIf(db, owner, condition, { digests, now: now() }),
    }),
    eventsOf: totpReplaced,
  })
  return codes
}
