import { orRefuse, refuseWith } from '../contract/refused.ts'
import { refusesAttempts } from '../domain/limits.ts'
import { signInOptionWithout } from '../domain/ways-to-sign-in.ts'
import { readTogether } from '../storage/batches.ts'
import { commitChange } from '../storage/commit.ts'
import { allOf, isAlwaysTrue } from '../storage/conditions.ts'
import { consumeAttempts } from '../storage/rate-limits.ts'
import { type UserChanges, updateUserIf } from '../storage/user-changes.ts'
import { hasIdentity, hasSignInOption, isUser, toAccount, type UserRow } from '../storage/users.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'
import { asTaken } from './uniqueness-refusal.ts'

/** What users change of their own account (spec/management#account-api). */

type ProfileDependencies = Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings'>
type ProfileChange = { tenantId: string; user: UserRow; changes: UserChanges; audit: AuditEntry }

export async function changeOwnProfile(
  dependencies: ProfileDependencies,
  { tenantId, user, changes, audit }: ProfileChange,
): Promise<UserRow> {
  const { db } = dependencies
  const userId = user.id
  if (changes.username !== undefined && changes.username !== user.username)
    await countUsername(dependencies, tenantId, userId)
  const { changed } = await commitChange(db, {
    tenantId,
    condition: isUser(tenantId, userId),
    audit: audit.success(),
    statements: { changed: updateUserIf(db, tenantId, isAlwaysTrue, userId, changes) },
  }).catch(asTaken)
  return changed[0] ?? refuseWith('auth.unauthorized')
}

/** A round trip of its own: the refusal of a name that is taken undoes its whole batch. */
async function countUsername(
  { db, now, settings, tenantSettings }: ProfileDependencies,
  tenantId: string,
  id: string,
): Promise<void> {
  const { limits } = await tenantSettings.get(tenantId)
  const at = now()
  const given = { limits, environment: settings.environment, now: at }
  const { consumed } = await readTogether(db, {
    consumed: consumeAttempts(db, tenantId, [{ limit: 'ownUsernameTries', id }], given),
  })
  orRefuse(refusesAttempts(consumed, at))
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
  const { changed } = await commitChange(db, {
    tenantId,
    condition,
    audit: beginAudit().success(),
    statements: { changed: updateUserIf(db, tenantId, condition, user.id, { removeIdentity: target }) },
  })
  if (changed.length === 0) refuseWith('user.last_sign_in_method')
}
