import { refuseWith } from '../../contract/refused.ts'
import { signInOptionWithout } from '../../domain/interactions/ways-to-sign-in.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf } from '../../storage/conditions.ts'
import { isAllowed } from '../../storage/factors/factors.ts'
import { updateUserIf } from '../../storage/users/user-changes.ts'
import { hasIdentity, hasSignInOption, isUnrevoked, toAccount } from '../../storage/users/users.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { identitiesChanged, sendTold } from '../hooks/account-events.ts'
import type { PasskeyAddition } from '../passkeys/new-passkey.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireRecentProof, requireStillProven } from '../sessions/recent-proof.ts'

type IdentityRemoval = {
  tenantId: string
  signedIn: SignedInUser
  target: string
  beginAudit(): AuditEntry
} & Pick<PasskeyAddition, 'message' | 'background'>

/** By a user who has just proved to be present. The last way to sign in is kept. */
export async function unlinkOwnIdentity(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'experience' | 'tenantSettings' | 'deliveries'>,
  { tenantId, signedIn, target, beginAudit, message, background }: IdentityRemoval,
): Promise<void> {
  const { db, experience, now } = dependencies
  const { user } = signedIn
  if (!Object.hasOwn(user.identities, target)) refuseWith('user.identity_not_exist', undefined, 404)
  const isProven = await requireRecentProof(dependencies, tenantId, signedIn)
  const option = signInOptionWithout({ target }, toAccount(user), await experience.get(tenantId))
  if (!option) refuseWith('user.last_sign_in_method')

  // Two calls at the same time must not remove both of the last two ways to sign in.
  const isStillProven = allOf(isProven, isUnrevoked(tenantId, user))
  const isLinked = hasIdentity(tenantId, user.id, target)
  const condition = allOf(isLinked, hasSignInOption(tenantId, user.id, option), isStillProven)
  const applicationId = signedIn.token.clientId
  const entry = beginAudit().success()
  const occasion = { tenantId, userId: user.id, applicationId, message, entry, now: now() }
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: entry,
    outbox: identitiesChanged(occasion),
    statements: { changed: updateUserIf(db, tenantId, condition, user.id, { removeIdentity: target }) },
  })
  if (changed.length === 0) {
    const { linked } = await readTogether(db, { linked: isAllowed(db, isLinked) })
    if (linked.length === 0) refuseWith('user.identity_not_exist', undefined, 404)
    await requireStillProven(dependencies, isStillProven)
    refuseWith('user.last_sign_in_method')
  }
  sendTold(dependencies, { tenantId, userId: user.id, outboxIds, background })
}
