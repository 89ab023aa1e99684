import { refuseWith } from '../../contract/refused.ts'
import { FEW_BACKUP_CODES } from '../../domain/factors/backup-codes.ts'
import { readTogether } from '../../storage/batches.ts'
import { type FactorOwner, holdingsQuery, totpQuery } from '../../storage/factors/factors.ts'
import type { Dependencies } from '../dependencies.ts'

/** What a user has of second factors; neither secrets nor codes. */
export type Factors = {
  totp: { createdAt: number; lastUsedAt: number | null } | null
  backupCodesLeft: number
  hasFewBackupCodes: boolean
  passkeys: number
}

export async function factorsOf({ db }: Pick<Dependencies, 'db'>, owner: FactorOwner): Promise<Factors> {
  const { held, totp } = await readTogether(db, {
    held: holdingsQuery(db, owner.tenantId, [{ by: 'id', value: owner.userId }]),
    totp: totpQuery(db, owner),
  })
  const [holding] = held
  if (!holding) return refuseWith('entity.not_found')
  const [app] = totp
  return {
    totp: app ? { createdAt: app.createdAt, lastUsedAt: app.lastUsedAt } : null,
    backupCodesLeft: holding.backupCodes,
    hasFewBackupCodes: (holding.totp || holding.passkeys > 0) && holding.backupCodes <= FEW_BACKUP_CODES,
    passkeys: holding.passkeys,
  }
}
