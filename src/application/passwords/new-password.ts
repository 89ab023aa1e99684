import type { Refusal } from '../../contract/errors.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { refusesPassword } from '../../domain/passwords/password-refusal.ts'
import { isBreached } from '../../outbound/passwords/breached-passwords.ts'
import { readTogether } from '../../storage/batches.ts'
import { logFailure } from '../../storage/event-log.ts'
import { isCommonPassword } from '../../storage/passwords/common-passwords.ts'
import { consumeAttempts } from '../../storage/rate-limits.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import type { OidcInteraction } from '../interactions/oidc-interaction.ts'
import { passwordColumns } from './verify.ts'

export type PasswordCheckDependencies = Pick<Dependencies, 'network' | 'settings' | 'tenantSettings'>

type NewPassword = { tenantId: string; password: string; audit: Pick<AuditEntry, 'add'> }

/**
 * Refuses a new password that breaks the rules of the tenant (spec/accounts#password-policy), or that attackers try first
 * (spec/accounts#compromised-passwords, ADR-0080). Without an answer of the service the password is taken, and the audit entry
 * says so: a failure elsewhere keeps nobody from an account.
 */
export async function refuseNewPassword(
  { network, settings, tenantSettings }: PasswordCheckDependencies,
  { tenantId, password, audit }: NewPassword,
): Promise<void> {
  const { passwordPolicy } = await tenantSettings.get(tenantId)
  orRefuse(refusesPassword(password, passwordPolicy))
  // The form that is hashed.
  const normalised = password.normalize('NFC')
  if (await isCommonPassword(normalised)) refuseWith('password.compromised', { reason: 'common' })
  if (!passwordPolicy.haveIBeenPwned || settings.breachedPasswordsUrl === null) return
  const isKnown = await isBreached(normalised, settings.breachedPasswordsUrl, network).catch((error) => {
    logFailure(error, { at: 'breached-passwords', tenantId })
    audit.add({ breachCheck: 'unavailable' })
    return false
  })
  if (isKnown) refuseWith('password.compromised', { reason: 'breached' })
}

/** The columns of a new password that is none of those. */
export async function newPasswordColumns(dependencies: PasswordCheckDependencies, given: NewPassword) {
  await refuseNewPassword(dependencies, given)
  return passwordColumns(given.password)
}

/** How many new passwords a network may give: each costs hashes or a question to the service (spec/accounts#new-password-limit). */

type LimitDependencies = Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings'>

/** The refusal of one more, or null. A round trip of its own. */
export async function countNewPassword(
  dependencies: LimitDependencies,
  { tenantId, ip }: Pick<InteractionCall, 'tenantId' | 'ip'>,
): Promise<Refusal | null> {
  const { statements, now } = await countingOf(dependencies, { tenantId, ip })
  const { consumed } = await readTogether(dependencies.db, { consumed: statements })
  return refusesAttempts(consumed, now)
}

/** The same in the round trip that reads the interaction. Without a password nothing is counted. */
export async function rowCountingPassword(
  dependencies: LimitDependencies,
  call: Pick<InteractionCall, 'tenantId' | 'ip' | 'open'>,
  password: string | undefined,
): Promise<{ row: OidcInteraction; limitRefusal: Refusal | null }> {
  if (password === undefined) return { row: await call.open.row(), limitRefusal: null }
  const { statements, now } = await countingOf(dependencies, call)
  const { row, found } = await call.open.rowAnd({ consumed: statements })
  return { row, limitRefusal: refusesAttempts(found.consumed, now) }
}

async function countingOf(
  dependencies: LimitDependencies,
  { tenantId, ip }: Pick<InteractionCall, 'tenantId' | 'ip'>,
) {
  const { db, settings, tenantSettings } = dependencies
  const { limits } = await tenantSettings.get(tenantId)
  const now = dependencies.now()
  const given = { limits, environment: settings.environment, now }
  return { now, statements: consumeAttempts(db, tenantId, [{ limit: 'newPasswordsPerNetwork', ip }], given) }
}
