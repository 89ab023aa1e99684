import type { SQL } from 'drizzle-orm'
import { hookEventOf } from '../contract/hooks.ts'
import type { InteractionEvent } from '../contract/identifiers.ts'
import type { OidcInteraction } from '../oidc/interactions.ts'
import { enqueueHooks } from '../storage/outbox.ts'
import type { Dependencies } from './dependencies.ts'
import { afterRevocation, logoutsOf } from './revocation.ts'

export type Submitted = {
  tenantId: string
  event: InteractionEvent
  row: OidcInteraction
  userId: string
  /** Epoch milliseconds; after a password reset. */
  revokedAt: number | undefined
  userAgent: string | undefined
}

/**
 * For the batch of a submit, behind its changes: the hooks that wait for it, and after a reset every application the
 * user was signed in to (decisions 15 and 18).
 */
export function outboxEventsOf(
  dependencies: Dependencies,
  { tenantId, event, row, userId, revokedAt, userAgent }: Submitted,
  condition: SQL,
) {
  const occasion = {
    event: hookEventOf[event],
    interactionEvent: event,
    userId,
    sessionId: row.uid,
    userAgent,
    applicationId: row.clientId,
  }
  const hooks = enqueueHooks(dependencies.db, tenantId, condition, occasion, dependencies.now())
  if (revokedAt === undefined) return [hooks]
  return [hooks, logoutsOf(dependencies, { tenantId, userId, revokedAt }, { condition, url: row.returnTo })]
}

/** Behind the answer. */
export async function afterSubmit(
  dependencies: Dependencies,
  { tenantId, userId, revokedAt }: Submitted,
  waiting: readonly { id: string }[],
): Promise<void> {
  if (revokedAt !== undefined) return afterRevocation(dependencies, { tenantId, userId, revokedAt }, waiting)
  await dependencies.deliveries.send(
    tenantId,
    waiting.map(({ id }) => id),
  )
}
