import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { refusesPassword } from '../../domain/passwords/password-refusal.ts'
import { isBreached } from '../../outbound/passwords/breached-passwords.ts'
import { logFailure } from '../../storage/event-log.ts'
import { isCommonPassword } from '../../storage/passwords/common-passwords.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { passwordColumns } from './account-password.ts'

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
