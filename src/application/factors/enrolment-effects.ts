import type { ProvenEnrolment } from '../../contract/interactions/interaction.ts'
import { allOf, type Condition } from '../../storage/conditions.ts'
import type { Database } from '../../storage/database.ts'
import {
  type FactorOwner,
  hasNoOtherTotp,
  insertTotpIf,
  replaceBackupCodesIf,
  totpLabel,
} from '../../storage/factors/factors.ts'
import { hasAtMostPasskeys } from '../../storage/passkeys/passkeys.ts'
import type { Dependencies } from '../dependencies.ts'

/** What a submit writes of an authenticator app that was set up in its interaction (spec/interaction#enrolment). */
export const enrolmentStatements = (
  db: Database,
  owner: FactorOwner,
  condition: Condition,
  { enrolment, secret, now }: { enrolment: ProvenEnrolment; secret: string; now: number },
) => ({
  totp: insertTotpIf(db, owner, condition, { secret, step: enrolment.proven.step, now }),
  backupCodes: replaceBackupCodesIf(db, owner, condition, { digests: enrolment.proven.digests, now }),
})

/**
 * Of an account that is to have no factor but the app of this change. Of two that are set up at the same time for one account, the
 * first is kept, and only its browser signs in.
 */
export const withoutOtherFactor = (
  owner: FactorOwner,
  { secret, passkeys }: { secret: string | undefined; passkeys: number },
): Condition => allOf(hasNoOtherTotp(owner, secret ?? null), hasAtMostPasskeys(owner, passkeys))

export const sealedSecretOf = (
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, userId }: FactorOwner,
  { secret }: ProvenEnrolment,
): Promise<string> => seals.seal(totpLabel(tenantId, userId), secret)
