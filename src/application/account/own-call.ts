import type { OutboxEvents } from '../../storage/commit.ts'
import type { IdentifiedLog } from '../../storage/logs.ts'
import type { Dependencies } from '../dependencies.ts'
import { type AccountEventContext, dispatchNotifications, type NotificationFactory } from '../hooks/events.ts'
import type { SignedInUser } from '../sessions/access-token.ts'

/** A request that users make about their own account, on a page or through an application. */
export type OwnCall = {
  signedIn: Pick<SignedInUser, 'user' | 'token'>
  message: AccountEventContext['message']
  background(task: () => Promise<unknown>): void
}

/**
 * Returns functions that create notifications in a change's batch and send them after the response. Without `own`, the
 * change was made by an operator and sends no notifications.
 */
export function accountNotifications(
  dependencies: Pick<Dependencies, 'now' | 'deliveries'>,
  tenantId: string,
  own: OwnCall | undefined,
): {
  outbox(factory: NotificationFactory, entry: IdentifiedLog): OutboxEvents
  send(outboxIds: string[]): void
} {
  if (!own) return { outbox: () => ({}), send() {} }
  const { signedIn, message, background } = own
  const owner = { tenantId, userId: signedIn.user.id }
  const applicationId = signedIn.token.clientId
  return {
    outbox: (factory, entry) => factory({ ...owner, applicationId, message, now: dependencies.now() }, entry),
    send: (outboxIds) => dispatchNotifications(dependencies, { ...owner, outboxIds, background }),
  }
}
