import {
  deleteBackupCodesIf,
  deleteTotpIf,
  newBackupCodes,
  replaceBackupCodesIf,
} from '../../storage/factors/factors.ts'
import { backupCodesRenewed, totpRemoved } from '../hooks/account-events.ts'
import { changeFactors, type FactorChange, type FactorDependencies } from './factor-change.ts'

/** What a signed-in user does with second factors that are there (spec/accounts#factor-changes). */

/** Answers new codes; the earlier ones count no more. */
export async function renewOwnBackupCodes(
  dependencies: FactorDependencies,
  change: FactorChange,
): Promise<string[]> {
  const { db, now, seals } = dependencies
  const owner = { tenantId: change.tenantId, userId: change.signedIn.user.id }
  const { codes, digests } = await newBackupCodes(seals, owner.tenantId)
  await changeFactors(dependencies, change, {
    needs: ({ totp, passkeys }) => totp || passkeys > 0,
    statementsOf: (condition) => ({
      codes: replaceBackupCodesIf(db, owner, condition, { digests, now: now() }),
    }),
    eventsOf: backupCodesRenewed,
  })
  return codes
}

/** The app and its backup codes. */
export async function removeOwnFactors(
  dependencies: FactorDependencies,
  change: FactorChange,
): Promise<void> {
  const { db } = dependencies
  const owner = { tenantId: change.tenantId, userId: change.signedIn.user.id }
  await changeFactors(dependencies, change, {
    needs: ({ totp, backupCodes }) => totp || backupCodes > 0,
    statementsOf: (condition) => ({
      codes: deleteBackupCodesIf(db, owner, condition),
      totp: deleteTotpIf(db, owner, condition),
    }),
    eventsOf: totpRemoved,
  })
}
