import { refuseWith } from '../../contract/refused.ts'
import { LOW_BACKUP_CODE_COUNT } from '../../domain/factors/backup-codes.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import {
  deleteBackupCodesIf,
  deleteTotpIf,
  enrolledFactorsQuery,
  type FactorOwner,
  totpQuery,
} from '../../storage/factors/factors.ts'
import { passkeysQuery, removeUserPasskeys } from '../../storage/passkeys/passkeys.ts'
import { updateUserIf } from '../../storage/users/user-changes.ts'
import { userExists } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import { factorsResetEvents } from '../hooks/events.ts'
import type { HookDispatch } from '../hooks/user-events.ts'
import { finishRevocation, logoutEvents } from '../sessions/revoke.ts'
import type { FactorChange } from './manage.ts'

type Reset = FactorOwner &
  Pick<FactorChange, 'audit' | 'message'> &
  HookDispatch & { url: string; withPasskeys: boolean }

/**
 * Removes a user's authenticator app and backup codes on behalf of an operator, and with `withPasskeys` also the
 * passkeys. The user is signed out everywhere and notified (spec/accounts#factor-reset).
 */
export async function resetFactors(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, userId, withPasskeys, audit, url, message, actor, background }: Reset,
): Promise<void> {
  const { db, now } = dependencies
  const owner = { tenantId, userId }
  const condition = userExists(tenantId, userId)
  const revocation = { ...owner, revokedAt: now() }
  // Hooks receive an event for each of these passkeys. Passkeys that are added after this read are removed without an
  // event.
  const passkeys = withPasskeys ? await passkeysQuery(db, tenantId, userId) : []
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    outbox: {
      ...factorsResetEvents({ ...owner, actor, message, now: now() }, passkeys),
      logouts: logoutEvents(revocation, url),
    },
    statements: {
      totp: deleteTotpIf(db, owner, condition),
      codes: deleteBackupCodesIf(db, owner, condition),
      passkeys: withPasskeys ? removeUserPasskeys(db, tenantId, userId) : undefined,
      changed: updateUserIf(db, tenantId, condition, userId, { revokedAt: revocation.revokedAt }),
    },
  })
  if (changed.length === 0) refuseWith('entity.not_found')
  finishRevocation(dependencies, { ...revocation, outboxIds, hasNotice: true, background })
}

/** Reads a user's second factors, without their secrets and codes. */
type Factors = {
  totp: { createdAt: number; lastUsedAt: number | null } | null
  backupCodesLeft: number
  hasFewBackupCodes: boolean
  passkeys: number
}

export async function readFactors({ db }: Pick<Dependencies, 'db'>, owner: FactorOwner): Promise<Factors> {
  const { holdings, totp } = await readTogether(db, {
    holdings: enrolledFactorsQuery(db, owner.tenantId, [{ by: 'id', value: owner.userId }]),
    totp: totpQuery(db, owner),
  })
  const [holding] = holdings
  if (!holding) return refuseWith('entity.not_found')
  const [app] = totp
  return {
    totp: app ? { createdAt: app.createdAt, lastUsedAt: app.lastUsedAt } : null,
    backupCodesLeft: holding.backupCodes,
    hasFewBackupCodes: (holding.totp || holding.passkeys > 0) && holding.backupCodes <= LOW_BACKUP_CODE_COUNT,
    passkeys: holding.passkeys,
  }
}
