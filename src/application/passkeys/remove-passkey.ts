import { refuseWith } from '../../contract/refused.ts'
import { signInOptionWithout } from '../../domain/interactions/ways-to-sign-in.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf, type Condition } from '../../storage/conditions.ts'
import { existingPasskeysQuery, isPasskey, removePasskeyIf } from '../../storage/passkeys/passkeys.ts'
import { forgetRememberedIf, hasSignInOption, isUnrevoked, toAccount } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import { passkeyRemoved } from '../hooks/account-events.ts'
import { requireRecentProof, requireStillProven } from '../sessions/recent-proof.ts'
import type { PasskeyAddition } from './new-passkey.ts'

/** `id` is that of the credential. */
type Request = Pick<PasskeyAddition, 'audit' | 'message' | 'background'> & { id: string }
type RemovalDependencies = Pick<Dependencies, 'db' | 'now' | 'deliveries'>

/** By its user, who keeps the last way to sign in. */
export async function removeOwnPasskey(
  dependencies: RemovalDependencies & Pick<Dependencies, 'experience' | 'tenantSettings'>,
  {
    tenantId,
    signedIn,
    ...request
  }: Request & { tenantId: string; signedIn: Parameters<typeof requireRecentProof>[2] },
): Promise<void> {
  const { id } = request
  const { user } = signedIn
  const requireOwn = async () => {
    const [existing] = await existingPasskeysQuery(dependencies.db, tenantId, [id])
    if (existing?.userId !== user.id) refuseWith('entity.not_found')
  }
  await requireOwn()
  const isProven = await requireRecentProof(dependencies, tenantId, signedIn)
  const offered = await dependencies.experience.get(tenantId)
  const option = signInOptionWithout({ passkey: id }, toAccount(user), offered)
  if (!option) refuseWith('user.last_sign_in_method')

  // Two calls at the same time must not remove both of the last two ways to sign in.
  const isStillProven = allOf(isProven, isUnrevoked(tenantId, user))
  const condition = allOf(hasSignInOption(tenantId, user.id, option), isStillProven)
  const applicationId = signedIn.token.clientId
  const removal = { tenantId, userId: user.id, condition, applicationId, ...request }
  if (await remove(dependencies, removal)) return
  await requireOwn()
  await requireStillProven(dependencies, isStillProven)
  refuseWith('user.last_sign_in_method')
}

/** By an operator, also the last way to sign in: a lost device is not to open the account. */
export async function removeUserPasskey(
  dependencies: RemovalDependencies,
  request: Request & { tenantId: string; userId: string },
): Promise<void> {
  if (!(await remove(dependencies, request))) refuseWith('entity.not_found')
}

type Removal = Request & {
  tenantId: string
  userId: string
  /** Of a removal by its user. */
  condition?: Condition
  applicationId?: string
}

async function remove(
  { db, now, deliveries }: RemovalDependencies,
  { tenantId, userId, id, condition, applicationId, audit, message, background }: Removal,
): Promise<boolean> {
  const key = { userId, id }
  const whole = allOf(isPasskey(tenantId, key), ...(condition ? [condition] : []))
  const entry = audit.success()
  const occasion = { tenantId, userId, applicationId, message, now: now() }
  const { removed, outboxIds } = await commitChange(db, {
    tenantId,
    condition: whole,
    audit: entry,
    outbox: passkeyRemoved(id, { ...occasion, ...(condition && { entry }) }),
    statements: {
      browsers: forgetRememberedIf(db, { tenantId, userId }, whole, now()),
      removed: removePasskeyIf(db, tenantId, key, whole),
    },
  })
  if (removed.length > 0) background(() => deliveries.sendNotices({ tenantId, userId }))
  if (outboxIds.length > 0) background(() => deliveries.send(tenantId, outboxIds))
  return removed.length > 0
}
