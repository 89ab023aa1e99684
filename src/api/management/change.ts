import type { AuditEntry } from '../../application/audit.ts'
import type { HookDispatch } from '../../application/hooks/user-events.ts'
import { callerActorTypes } from '../../domain/audit-actor.ts'
import { changedFieldNames } from '../changed-names.ts'
import { createBackgroundRunner } from '../request-context.ts'
import type { ManagementContext } from './router.ts'

export type AuditSubject =
  | 'Application'
  | 'Config'
  | 'Connector'
  | 'Consent'
  | 'CustomPhrases'
  | 'Hook'
  | 'Invitation'
  | 'OrganizationDomain'
  | 'Organization'
  | 'OrganizationApplication'
  | 'OrganizationMember'
  | 'OrganizationRole'
  | 'OrganizationScope'
  | 'OrganizationInvitation'
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
/** The changes of users that have a key of their own, so that operators can find them (spec/management#audit-keys). */
type UserAction = 'Rename' | 'RolesChange' | 'Suspend' | 'Reinstate'

/**
 * Begins the audit entry of a change. The entry contains the actor, the target and the names of the changed fields. The
 * values before and after it are added once they are known (`describeChanges`).
 */
export function beginManagementAudit(
  c: ManagementContext,
  key: `Management.${AuditSubject}.${AuditAction}` | `Management.User.${UserAction}`,
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

/** Returns what the hook events of a change need: the caller, and the runner for what follows the response. */
export function toHookDispatch(c: ManagementContext): HookDispatch {
  const { type, id } = c.var.principal
  return { actor: { type: callerActorTypes[type], id }, background: createBackgroundRunner(c) }
}
