import { isRecord } from '../../contract/is-record.ts'
import { findOutboundUrlProblem } from '../../domain/connectors/outbound-address.ts'
import { maskQuotedSecrets } from '../../domain/masking.ts'
import { type HookResponse, postHook, postLogoutToken } from '../../outbound/hooks/webhook.ts'
import { type ApplicationRow, getApplication } from '../../storage/applications/applications.ts'
import { findInnermostMessage } from '../../storage/database.ts'
import { logEvent } from '../../storage/event-log.ts'
import { getHook, type HookRow, hookSecretLabel, unsealHook } from '../../storage/hooks/hooks.ts'
import type { Delivery } from '../../storage/hooks/outbox.ts'
import type { LogoutClaims } from '../../storage/hooks/outbox-events.ts'
import type { NewLog } from '../../storage/logs.ts'
import { UnreadableSeal } from '../../storage/seal.ts'
import type { SigningKeys } from '../../storage/tenants/signing-keys.ts'
import type { Dependencies } from '../dependencies.ts'
import type { DeliveryReport } from './deliveries.ts'
import { readPrivateTargets } from './private-targets.ts'

type HookDependencies = Pick<Dependencies, 'db' | 'seals' | 'settings' | 'tenantSettings' | 'now'>
type HookMessage = { hook: HookRow; id: string; payload: Record<string, unknown> }

/** Posts a signed message to a hook (spec/connectors#hook-signature). */
export function callHook(
  dependencies: HookDependencies,
  platform: { fetch: typeof fetch },
  { hook, id, payload }: HookMessage,
): Promise<DeliveryReport> {
  const { seals, now } = dependencies
  return reportOf(async () => {
    const { tenantId, id: hookId, config, secret: sealed } = await unsealHook(seals, hook)
    const { url, headers = {} } = config
    await refusePrivateAddress(dependencies, tenantId, url)
    const secret = await seals.open(hookSecretLabel(tenantId, hookId), sealed)
    if (typeof secret !== 'string') throw new UnreadableSeal(`The secret of hook ${hookId}`, sealed)
    const message = { url, headers, secret, id, body: JSON.stringify(payload) }
    const { statusCode, body } = await postHook(message, { fetch: platform.fetch, now })
    // Some receivers echo the request in their response. The response is logged, so the hook's headers are masked.
    return { statusCode, body: maskQuotedSecrets(body, headers) }
  })
}

/** Makes one attempt to deliver a message. Returns the report and the audit row. */
export async function attemptHookDelivery(
  dependencies: HookDependencies,
  platform: { fetch: typeof fetch },
  { tenantId, id, payload }: Pick<Delivery, 'tenantId' | 'id' | 'payload'>,
  hookId: string,
): Promise<{ report: DeliveryReport; retries: number; log: NewLog | undefined }> {
  const hook = await getHook(dependencies.db, tenantId, hookId)
  // The hook and its deliveries have been deleted in the meantime.
  if (!hook) return { report: failedDelivery('The hook no longer exists'), retries: 0, log: undefined }
  const report = await callHook(dependencies, platform, { hook, id, payload })
  const log = hookCallLog(hook, { id, payload, report, now: dependencies.now() })
  return { report, retries: hook.config.retries, log }
}

/** Returns the audit row of a call (spec/management#audit-keys). */
export function hookCallLog(
  { id: hookId }: Pick<HookRow, 'id'>,
  { id, payload, report, now }: Omit<HookMessage, 'hook'> & { report: DeliveryReport; now: number },
): NewLog {
  const { event, userId, application } = payload
  const key = `TriggerHook.${event}`
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

export type LogoutPlatform = {
  fetch: typeof fetch
  /**
   * Creates a logout token. The OpenID provider implements this function, because it defines the format of its tokens.
   */
  logoutToken(
    facts: LogoutClaims,
    application: ApplicationRow,
    keys: SigningKeys,
    now: number,
  ): Promise<string>
}

/** Posts a logout token to an application's back-channel logout URL (spec/provider#back-channel-logout). */
export async function callLogoutUrl(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'settings' | 'tenantSettings' | 'signingKeys' | 'now'>,
  { fetch, logoutToken }: LogoutPlatform,
  { tenantId, applicationId, payload }: Delivery,
): Promise<DeliveryReport> {
  const { signingKeys, now } = dependencies
  const report = await reportOf(async () => {
    const application =
      applicationId === null ? null : await getApplication(dependencies, tenantId, applicationId)
    const url = application?.customClientMetadata.backchannelLogoutUri
    if (!application || !url) throw new Error('The application no longer has a back-channel logout address')
    await refusePrivateAddress(dependencies, tenantId, url)
    const keys = await signingKeys.get(tenantId)
    const token = await logoutToken(logoutFacts(payload), application, keys, now())
    return postLogoutToken(url, token, { fetch })
  })
  const { result, error, response } = report
  logEvent('back_channel_logout', { tenantId, applicationId, result, error, status: response?.statusCode })
  return report
}

function logoutFacts({ issuer, sub, sid }: Record<string, unknown>): LogoutClaims {
  if (typeof issuer !== 'string' || typeof sub !== 'string') {
    throw new Error('The logout does not name an issuer and a user')
  }
  return { issuer, sub, sid: textOf(sid) }
}

/**
 * Calls a receiver. Only a 2xx response means that the message was delivered. Redirects are not followed
 * (spec/connectors#hook-delivery).
 */
async function reportOf(call: () => Promise<HookResponse>): Promise<DeliveryReport> {
  try {
    const response = await call()
    const isAccepted = response.statusCode >= 200 && response.statusCode < 300
    return isAccepted
      ? { result: 'Success', response }
      : { ...failedDelivery(`The receiver responded with ${response.statusCode}`), response }
  } catch (error) {
    return failedDelivery(findInnermostMessage(error))
  }
}

const failedDelivery = (error: string): DeliveryReport => ({ result: 'Error', error })

/** Throws if the server is not allowed to call the URL (spec/connectors#outbound-addresses). */
async function refusePrivateAddress(
  dependencies: Pick<Dependencies, 'settings' | 'tenantSettings'>,
  tenantId: string,
  url: string,
): Promise<void> {
  const problem = findOutboundUrlProblem(url, await readPrivateTargets(dependencies, tenantId))
  if (problem) throw new Error(`The address ${problem}`)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
