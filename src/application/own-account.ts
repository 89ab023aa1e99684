import { refuseWith } from '../contract/refused.ts'
import { signInOptionWithout } from '../domain/ways-to-sign-in.ts'
import { commit } from '../storage/commit.ts'
import { allOf, always } from '../storage/conditions.ts'
import {
  hasIdentity,
  hasSignInOption,
  isUser,
  toAccount,
  type UserChanges,
  type UserRow,
  updateUserIf,
} from '../storage/users.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'
import { asTaken } from './uniqueness-refusal.ts'

/** What users change of their own account (spec/management#account-api). */

type ProfileChange = { tenantId: string; userId: string; changes: UserChanges; audit: AuditEntry }

export async function changeOwnProfile(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, userId, changes, audit }: ProfileChange,
): Promise<UserRow> {
  const { changed } = await commit(db, {
    tenantId,
    condition: isUser(tenantId, userId),
    audit: audit.success(),
    statements: { changed: updateUserIf(db, tenantId, always, userId, changes) },
  }).catch(asTaken)
  return changed[0] ?? refuseWith('auth.unauthorized')
}

type IdentityRemoval = { tenantId: string; user: UserRow; target: string; beginAudit(): AuditEntry }

/** The last way to sign in is kept. */
export async function unlinkOwnIdentity(
  { db, experience }: Pick<Dependencies, 'db' | 'experience'>,
  { tenantId, user, target, beginAudit }: IdentityRemoval,
): Promise<void> {
  if (!Object.hasOwn(user.identities, target)) refuseWith('user.identity_not_exist', undefined, 404)
  const option = signInOptionWithout(target, toAccount(user), await experience.get(tenantId))
  if (!option) refuseWith('user.last_sign_in_method')

  // Two calls at the same time must not remove both of the last two ways to sign in.
  const condition = allOf(hasIdentity(tenantId, user.id, target), hasSignInOption(tenantId, user.id, option))
  const { changed } = await commit(db, {
    tenantId,
    condition,
    audit: beginAudit().success(),
    statements: { changed: updateUserIf(db, tenantId, condition, user.id, { removeIdentity: target }) },
  })
  if (changed.length === 0) refuseWith('user.last_sign_in_method')
}
