import { postHook } from '../connectors/webhook.ts'
import { isRecord } from '../contract/is-record.ts'
import { maskQuoted, maskSecrets } from '../domain/masking.ts'
import { type HookRow, hookSecretLabel, openHook } from '../storage/hooks.ts'
import type { NewLog } from '../storage/logs.ts'
import type { DeliveryReport } from './deliveries.ts'
import { refusePrivateAddress, reportOf, textOf } from './delivery-report.ts'
import type { Dependencies } from './dependencies.ts'

type HookMessage = { hook: HookRow; id: string; payload: Record<string, unknown> }

/** Posts a signed message to a hook (spec/connectors#hook-signature). */
export function callHook(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'tenantSettings' | 'now'>,
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

/** The audit row of a call (spec/management#audit-keys). */
export function hookCallLog(
  { id: hookId, event }: Pick<HookRow, 'id' | 'event'>,
  { payload, report, now }: { payload: Record<string, unknown>; report: DeliveryReport; now: number },
): NewLog {
  const key = `TriggerHook.${event}`
  const { userId, application } = payload
  return {
    key,
    createdAt: now,
    payload: {
      key,
      hookId,
      userId: textOf(userId),
      applicationId: textOf(isRecord(application) ? application.id : undefined),
      json: maskSecrets(payload),
      result: report.result,
      response: maskSecrets(report.response),
      error: report.error,
    },
  }
}
