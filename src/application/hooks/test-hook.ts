import type { HookEvent } from '../../contract/hooks/hooks.ts'
import { refuseWith } from '../../contract/refused.ts'
import { sampleMessage } from '../../domain/hooks/sample-message.ts'
import { getHook } from '../../storage/hooks/hooks.ts'
import { createDeliveryId } from '../../storage/hooks/outbox-events.ts'
import type { Dependencies } from '../dependencies.ts'

type HookTest = {
  tenantId: string
  id: string
  /** The event of the message. By default, it is the first one of the hook. */
  event: HookEvent | undefined
  userAgent: string | undefined
}

/** Sends one message about a fictitious user to a hook, without retries, and returns the delivery report. */
export async function testHook(
  { db, now, deliveries }: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, id, event, userAgent }: HookTest,
) {
  const hook = await getHook(db, tenantId, id)
  if (!hook) refuseWith('entity.not_exists_with_id', { id })
  const message = sampleMessage(id, event ?? hook.event, { now: now(), userAgent })
  return deliveries.sendToHook(hook, createDeliveryId(), message)
}
