import type { AuditEntry } from '../../application/audit.ts'
import { changedFieldNames } from '../changed-names.ts'
import type { ManagementContext } from './router.ts'

export type AuditSubject =
  | 'AdministratorInvitation'
  | 'Application'
  | 'Config'
  | 'Connector'
  | 'Consent'
  | 'CustomPhrases'
  | 'Hook'
  | 'Invitation'
  | 'RegistrationToken'
  | 'Resource'
  | 'Role'
  | 'Scope'
  | 'SignInExperience'
  | 'SignInTest'
  | 'SigningKeys'
  | 'Tenant'
  | 'User'
  | 'UserAsset'
export type AuditAction = 'Create' | 'Update' | 'Delete' | 'Export'

/**
 * Begins the audit entry of a change. The entry contains the actor, the target and the names of the changed fields, but
 * not their values.
 */
export function beginManagementAudit(
  c: ManagementContext,
  key: `Management.${AuditSubject}.${AuditAction}`,
  about: Record<string, unknown>,
  fields: object = {},
): AuditEntry {
  const changed = changedFieldNames(fields)
  return c.var.audit.begin(key, {
    ...about,
    actor: c.var.principal,
    ...(changed.length > 0 ? { changed } : {}),
  })
}
