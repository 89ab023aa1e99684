import type { HookActor } from '../../contract/hooks/hooks.ts'
import type { Passkey, PasskeyPurpose } from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import { findRemainingSignInOption } from '../../domain/interactions/ways-to-sign-in.ts'
import { existingMembersQuery } from '../../storage/access/role-links.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { ALWAYS_TRUE, allOf, type Condition } from '../../storage/conditions.ts'
import {
  existingPasskeysQuery,
  passkeyExists,
  passkeysQuery,
  removePasskeyIf,
  renamePasskey,
} from '../../storage/passkeys/passkeys.ts'
import {
  forgetRememberedBrowsersIf,
  hasSignInOption,
  isUnrevoked,
  toAccount,
} from '../../storage/users/users.ts'
import { accountNotifications, type OwnCall } from '../account/own-call.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { dispatchNotifications, passkeyRemovedEvents } from '../hooks/events.ts'
import { passkeyRenamedNotification } from '../hooks/own-change-events.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireCurrentProof, requireStepUp } from '../sessions/step-up.ts'
import {
  addPasskey,
  createPasskeyCreationOptions,
  type PasskeyAddition,
  type PasskeyDependencies,
} from './create.ts'

/** Passkey management for users (spec/management#account-passkeys) and for operators. */

type Caller = { tenantId: string; signedIn: SignedInUser }

export const listOwnPasskeys = (
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, signedIn }: Caller,
): Promise<Passkey[]> => passkeysQuery(db, tenantId, signedIn.user.id).all()

/** Returns the creation options. Like the creation itself, this requires step-up verification. */
export async function createOwnPasskeyCreationOptions(
  dependencies: PasskeyDependencies,
  { purpose, ...caller }: Caller & { purpose: PasskeyPurpose },
) {
  await requireStepUp(dependencies, caller.tenantId, caller.signedIn)
  const present = await listOwnPasskeys(dependencies, caller)
  return createPasskeyCreationOptions(dependencies, ownerOf(caller), { present, purpose })
}

export async function addOwnPasskey(
  dependencies: PasskeyDependencies,
  { tenantId, signedIn, ...addition }: Caller & Omit<PasskeyAddition, 'condition'>,
): Promise<Passkey> {
  const isProven = await requireStepUp(dependencies, tenantId, signedIn)
  const condition = allOf(isProven, isUnrevoked(tenantId, signedIn.user))
  return addPasskey(dependencies, ownerOf({ tenantId, signedIn }), {
    ...addition,
    condition,
    applicationId: signedIn.token.clientId,
  })
}

const ownerOf = ({ tenantId, signedIn: { user, token } }: Caller) => ({
  tenantId,
  user,
  place: token.grantId,
})

/** Lists a user's passkeys for an operator, or throws if the user does not exist. */
export async function listUserPasskeys(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  id: string,
): Promise<Passkey[]> {
  const { users, passkeys } = await readTogether(db, {
    users: existingMembersQuery(db, tenantId, 'user', [id]),
    passkeys: passkeysQuery(db, tenantId, id),
  })
  return users.length > 0 ? passkeys : refuseWith('entity.not_found')
}

/** A new name for a passkey. `id` is its credential id. */
type Renaming = OwnCall & { tenantId: string; id: string; name: string; audit: AuditEntry }

export async function renameOwnPasskey(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, id, name, audit, ...own }: Renaming,
): Promise<Passkey> {
  const { db } = dependencies
  const key = { userId: own.signedIn.user.id, id }
  const notifications = accountNotifications(dependencies, tenantId, own)
  const entry = audit.success()
  const { renamed, outboxIds } = await commitChange(db, {
    tenantId,
    condition: passkeyExists(tenantId, key),
    audit: entry,
    outbox: notifications.outbox(passkeyRenamedNotification(id), entry),
    statements: { renamed: renamePasskey(db, tenantId, key, name) },
  })
  const [passkey] = renamed
  if (!passkey) return refuseWith('entity.not_found')
  notifications.send(outboxIds)
  return passkey
}

/** The removal of a passkey. `id` is its credential id. */
type Removal = Pick<PasskeyAddition, 'audit' | 'message' | 'background'> & { tenantId: string; id: string }
type RemovalDependencies = Pick<Dependencies, 'db' | 'now' | 'deliveries'>

/**
 * Removes a passkey on behalf of its user, unless the user could then no longer sign in. Called by the account page and
 * by `/api/me/passkeys`.
 */
export async function removeOwnPasskey(
  dependencies: RemovalDependencies & Pick<Dependencies, 'experience' | 'tenantSettings'>,
  { signedIn, ...removal }: Removal & { signedIn: SignedInUser },
): Promise<void> {
  const { tenantId, id } = removal
  const { user } = signedIn
  const requireOwn = async () => {
    const [existing] = await existingPasskeysQuery(dependencies.db, tenantId, [id])
    if (existing?.userId !== user.id) refuseWith('entity.not_found')
  }
  await requireOwn()
  const isProven = await requireStepUp(dependencies, tenantId, signedIn)
  const experience = await dependencies.experience.get(tenantId)
  const option = findRemainingSignInOption({ passkey: id }, toAccount(user), experience)
  if (!option) refuseWith('user.last_sign_in_method')

  // This condition prevents two concurrent calls from removing the user's last two sign-in options. If all of them are
  // passkeys, only this condition checks that another one is left.
  const isStillProven = allOf(isProven, isUnrevoked(tenantId, user))
  const condition = allOf(hasSignInOption(tenantId, user.id, option), isStillProven)
  const byUser = { condition, applicationId: signedIn.token.clientId }
  if (await remove(dependencies, { ...removal, userId: user.id, byUser })) return
  await requireOwn()
  await requireCurrentProof(dependencies, isStillProven)
  refuseWith('user.last_sign_in_method')
}

/**
 * Removes a passkey on behalf of an operator, even if the user can then no longer sign in. Otherwise a lost device
 * could still give access to the account.
 */
export async function removeUserPasskey(
  dependencies: RemovalDependencies,
  removal: Removal & { userId: string; actor: HookActor },
): Promise<void> {
  if (!(await remove(dependencies, removal))) refuseWith('entity.not_found')
}

async function remove(
  { db, now, deliveries }: RemovalDependencies,
  {
    tenantId,
    userId,
    id,
    byUser,
    actor,
    audit,
    message,
    background,
  }: Removal & {
    userId: string
    byUser?: { condition: Condition; applicationId: string }
    actor?: HookActor
  },
): Promise<boolean> {
  const key = { userId, id }
  const condition = allOf(passkeyExists(tenantId, key), byUser?.condition ?? ALWAYS_TRUE)
  const entry = audit.success()
  const context = { tenantId, userId, actor, applicationId: byUser?.applicationId, message, now: now() }
  const { removed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: entry,
    outbox: passkeyRemovedEvents(id, { ...context, ...(byUser && { entry }) }),
    statements: {
      browsers: forgetRememberedBrowsersIf(db, { tenantId, userId }, condition, now()),
      removed: removePasskeyIf(db, tenantId, key, condition),
    },
  })
  if (removed.length > 0) dispatchNotifications({ deliveries }, { tenantId, userId, outboxIds, background })
  return removed.length > 0
}
