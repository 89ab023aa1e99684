import type { Condition } from '../../storage/conditions.ts'
import type { LogoutEvents } from '../../storage/hooks/outbox-events.ts'
import { sweepRevoked } from '../../storage/sessions/oidc-revocation.ts'
import type { Dependencies } from '../dependencies.ts'

export type Revocation = {
  tenantId: string
  userId: string
  /** Epoch milliseconds. */
  revokedAt: number
}

/**
 * For the outbox of a suspension, a reset or a deletion: the applications of the user's sessions receive a logout token
 * (spec/provider#back-channel-logout). `sessions` narrows them down.
 */
export const logoutsOf = (
  { userId, revokedAt }: Omit<Revocation, 'tenantId'>,
  url: string,
  sessions?: Condition,
): LogoutEvents => ({
  userId,
  now: revokedAt,
  // For sessions whose row does not name the issuer yet.
  issuer: `${new URL(url).origin}/oidc`,
  ...(sessions && { sessions }),
})

/** After the answer: revoked rows are refused already, they only remain to be deleted. */
export async function afterRevocation(
  { db, deliveries }: Pick<Dependencies, 'db' | 'deliveries'>,
  { tenantId, userId, revokedAt }: Revocation,
  outboxIds: readonly string[],
): Promise<void> {
  await sweepRevoked(db, tenantId, userId, revokedAt)
  await deliveries.send(tenantId, outboxIds)
}
