import { isRecord } from '../../contract/is-record.ts'
import { maskQuoted } from '../../domain/masking.ts'
import { postHook } from '../../outbound/hooks/webhook.ts'
import { getHook, type HookRow, hookSecretLabel, openHook } from '../../storage/hooks/hooks.ts'
import type { Delivery } from '../../storage/hooks/outbox.ts'
import type { NewLog } from '../../storage/logs.ts'
import type { Dependencies } from '../dependencies.ts'
import type { DeliveryReport } from './deliveries.ts'
import { failedDelivery, refusePrivateAddress, reportOf, textOf } from './delivery-report.ts'

type HookDependencies = Pick<Dependencies, 'db' | 'seals' | 'tenantSettings' | 'now'>
type HookMessage = { hook: HookRow; id: string; payload: Record<string, unknown> }

/** Posts a signed message to a hook (spec/connectors#hook-signature). */
export function callHook(
  dependencies: HookDependencies,
  platform: { fetch: typeof fetch },
  { hook, id, payload }: HookMessage,
): Promise<DeliveryReport> {
  const { seals, now } = dependencies
  return reportOf(async () => {
    const { tenantId, id: hookId, config, secret: sealed } = await openHook(seals, hook)
    const { url, headers = {} } = config
    await refusePrivateAddress(dependencies, tenantId, url)
    const secret = await seals.open(hookSecretLabel(tenantId, hookId), sealed)
    if (typeof secret !== 'string') throw new Error('The secret of the hook does not open: make a new one')
    const message = { url, headers, secret, id, body: JSON.stringify(payload) }
    const { statusCode, body } = await postHook(message, { fetch: platform.fetch, now })
    // Some receivers answer with what they received, and the answer is logged.
    return { statusCode, body: maskQuoted(body, headers) }
  })
}

/** One attempt of a delivery, with its audit row. */
export async function attemptHookDelivery(
  dependencies: HookDependencies,
  platform: { fetch: typeof fetch },
  { tenantId, id, payload }: Pick<Delivery, 'tenantId' | 'id' | 'payload'>,
  hookId: string,
): Promise<{ report: DeliveryReport; retries: number; log: NewLog | undefined }> {
  const hook = await getHook(dependencies.db, tenantId, hookId)
  // Deleted with its deliveries in this moment.
  if (!hook) return { report: failedDelivery('The hook is gone'), retries: 0, log: undefined }
  const report = await callHook(dependencies, platform, { hook, id, payload })
  const log = hookCallLog(hook, { id, payload, report, now: dependencies.now() })
  return { report, retries: hook.config.retries, log }
}

/** The audit row of a call (spec/management#audit-keys). */
export function hookCallLog(
  { id: hookId, event }: Pick<HookRow, 'id' | 'event'>,
  { id, payload, report, now }: Omit<HookMessage, 'hook'> & { report: DeliveryReport; now: number },
): NewLog {
  const key = `TriggerHook.${event}`
  const { userId, application } = payload
  return {
    key,
    createdAt: now,
    payload: {
      key,
      hookId,
      deliveryId: id,
      userId: textOf(userId),
      applicationId: textOf(isRecord(application) ? application.id : undefined),
      json: payload,
      result: report.result,
      response: report.response,
      error: report.error,
    },
  }
}
