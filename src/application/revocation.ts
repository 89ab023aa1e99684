import type { SQL } from 'drizzle-orm'
import { deleteRevoked } from '../storage/oidc-models.ts'
import { enqueueLogouts } from '../storage/outbox.ts'
import type { Dependencies } from './dependencies.ts'

type Revocation = {
  tenantId: string
  userId: string
  /** Epoch milliseconds. */
  revokedAt: number
}

/** For the batch of a suspension, a reset or a deletion (decision 15): every application of the user's sessions is told. */
export const logoutsOf = (
  { db }: Dependencies,
  { tenantId, userId, revokedAt }: Revocation,
  { condition, url }: { condition: SQL; url: string },
) =>
  enqueueLogouts(db, tenantId, condition, {
    userId,
    now: revokedAt,
    // For sessions from before they said where they were made.
    issuer: `${new URL(url).origin}/oidc`,
  })

/** Behind the answer: what was revoked is dead already, and who waits in the outbox is not forgotten. */
export async function afterRevocation(
  { db, deliveries }: Dependencies,
  { tenantId, userId, revokedAt }: Revocation,
  waiting: readonly { id: string }[],
): Promise<void> {
  await db.batch(deleteRevoked(db, tenantId, userId, revokedAt))
  await deliveries.send(
    tenantId,
    waiting.map(({ id }) => id),
  )
}
