import type { Refusal } from '../../contract/errors.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { checkPasswordPolicy } from '../../domain/passwords/password-refusal.ts'
import { isPasswordBreached } from '../../outbound/passwords/breached-passwords.ts'
import { logFailure } from '../../storage/event-log.ts'
import { isCommonPassword } from '../../storage/passwords/common-passwords.ts'
import type { AttemptToCount } from '../../storage/rate-limits.ts'
import { type AttemptDependencies, createTenantAttemptLimiter } from '../attempts.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import type { OidcInteraction } from '../interactions/oidc-interaction.ts'
import { preparePasswordColumns } from './verify.ts'

export type PasswordCheckDependencies = Pick<Dependencies, 'network' | 'settings' | 'tenantSettings'>

type NewPassword = { tenantId: string; password: string; audit: Pick<AuditEntry, 'add'> }

/** Checks a new password and returns the columns in which it is stored. */
export async function prepareNewPasswordColumns(
  dependencies: PasswordCheckDependencies,
  request: NewPassword,
) {
  await refuseNewPassword(dependencies, request)
  return preparePasswordColumns(request.password)
}

/**
 * Rejects a new password that violates the tenant's rules (spec/accounts#password-policy) or that is common or known
 * from breaches (spec/accounts#compromised-passwords, ADR-0080). If the breach service does not respond, accepts the
 * password and notes that in the audit entry. Another service's outage must not lock anyone out.
 */
export async function refuseNewPassword(
  { network, settings, tenantSettings }: PasswordCheckDependencies,
  { tenantId, password, audit }: NewPassword,
): Promise<void> {
  const { passwordPolicy } = await tenantSettings.get(tenantId)
  throwIfRefused(checkPasswordPolicy(password, passwordPolicy))
  // The check uses the same normalized form as the hash.
  const normalised = password.normalize('NFC')
  if (await isCommonPassword(normalised)) refuseWith('password.compromised', { reason: 'common' })
  if (!passwordPolicy.haveIBeenPwned || settings.breachedPasswordsUrl === null) return
  const isInBreach = await isPasswordBreached(normalised, settings.breachedPasswordsUrl, network).catch(
    (error) => {
      logFailure(error, { at: 'breached-passwords', tenantId })
      audit.add({ breachCheck: 'unavailable' })
      return false
    },
  )
  if (isInBreach) refuseWith('password.compromised', { reason: 'breached' })
}

/**
 * Counts a new password against the network's limit, in a separate round trip, and returns an error if the limit is
 * exceeded. Every new password has to be hashed or checked with the breach service (spec/accounts#new-password-limit).
 */
export async function countNewPassword(
  dependencies: AttemptDependencies,
  { tenantId, ip }: Pick<InteractionCall, 'tenantId' | 'ip'>,
): Promise<Refusal | null> {
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  return attempts.refusal(await attempts.consume(newPasswordAttempts(ip)))
}

/** Reads the interaction and, in the same round trip, counts the new password if there is one. */
export async function readRowAndCountPasswordAttempt(
  dependencies: AttemptDependencies,
  { tenantId, ip, open }: Pick<InteractionCall, 'tenantId' | 'ip' | 'open'>,
  password: string | undefined,
): Promise<{ row: OidcInteraction; limitRefusal: Refusal | null }> {
  if (password === undefined) return { row: await open.row(), limitRefusal: null }
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  const { row, results } = await open.readWith({ consumed: attempts.count(newPasswordAttempts(ip)) })
  return { row, limitRefusal: attempts.refusal(results.consumed) }
}

const newPasswordAttempts = (ip: string | undefined): AttemptToCount[] => [
  { limit: 'newPasswordsPerNetwork', ip },
]
