import { type HookReply, postHook, postLogoutToken } from '../connectors/webhook.ts'
import { isRecord } from '../contract/is-record.ts'
import { isLastTry } from '../domain/delivery-schedule.ts'
import { maskQuoted, maskSecrets } from '../domain/masking.ts'
import { outboundProblem } from '../domain/outbound-address.ts'
import { type Application, getApplication } from '../storage/applications.ts'
import { commit, notAudited } from '../storage/commit.ts'
import { innermostMessage } from '../storage/database.ts'
import { logEvent, logFailure } from '../storage/event-log.ts'
import { getHook, type HookRow, hookSecretLabel, openHook } from '../storage/hooks.ts'
import { insertLogs, type NewLog } from '../storage/logs.ts'
import {
  claimDelivery,
  claimNextDelivery,
  type Delivery,
  type LogoutFacts,
  markDelivered,
  markFailed,
} from '../storage/outbox.ts'
import type { SigningKeys } from '../storage/signing-keys.ts'
import type { Deliveries, DeliveryReport } from './deliveries.ts'
import type { Dependencies } from './dependencies.ts'

type DeliveryDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'seals' | 'settings' | 'tenantSettings' | 'signingKeys'
>

/** What the platform and the provider add. */
type DeliveryPlatform = {
  fetch: typeof fetch
  logoutToken(facts: LogoutFacts, application: Application, keys: SigningKeys, now: number): Promise<string>
  /** Milliseconds. */
  wait(time: number): Promise<void>
}

/** The wait before the first quick retry; it doubles. Ours. */
const FIRST_WAIT = 500 // ms

/** `waitUntil` ends after 30 s: no attempt begins later whose ten seconds would not fit (spec/limits#deliveries). */
const QUICK_TRIES_END = 20_000 // ms

/** The quick retries of a logout token, for which an application has no setting. Ours. */
const LOGOUT_RETRIES = 1

/** The number of connections a Worker opens at once; a further one waits, and its ten seconds pass meanwhile. */
const CONCURRENCY_LIMIT = 6

/** A run ends before the next begins, and within the 1,000 subrequests of an invocation. Ours. */
const RUN_ENDS = 45_000 // ms
const MOST_PER_WORKER = 25

export function createDeliveries(
  { db, now, seals, settings, tenantSettings, signingKeys }: DeliveryDependencies,
  { fetch, logoutToken, wait }: DeliveryPlatform,
): Deliveries {
  return {
    async send(tenantId, ids) {
      const waiting = [...ids]
      await withConcurrency(async () => {
        const id = waiting.shift()
        if (id === undefined) return 'done'
        const claimed = await claimDelivery(db, { tenantId, id }, now())
        if (claimed) await deliver(claimed, { isQuick: true })
        return 'goOn'
      })
    },

    async sendDue() {
      const counts = { delivered: 0, failed: 0 }
      const end = now() + RUN_ENDS
      await withConcurrency(async (turn) => {
        const claimed = now() < end && turn < MOST_PER_WORKER ? await claimNextDelivery(db, now()) : null
        if (!claimed) return 'done'
        const result = await deliver(claimed, { isQuick: false })
        if (result === 'Success') counts.delivered++
        else counts.failed++
        return 'goOn'
      })
      return counts
    },

    async sendToHook(hook, id, payload) {
      const report = await postToHook(hook, id, payload)
      await insertLogs(db, hook.tenantId, [logOf(hook, payload, report)])
      return report
    },
  }

  /** The delivery is claimed: no other sender has it. After a crash it is sent again. */
  async function deliver(
    delivery: Delivery,
    { isQuick }: { isQuick: boolean },
  ): Promise<'Success' | 'Error'> {
    const end = now() + (isQuick ? QUICK_TRIES_END : 0)
    for (let tries = 0, pause = FIRST_WAIT; ; tries++, pause *= 2) {
      const { report, retries, log } = await tryOnce(delivery)
      const isDelivered = report.result === 'Success'
      const isOver = isDelivered || tries >= retries || now() + pause >= end
      await settle()
      if (isOver) return report.result
      await wait(pause)

      async function settle() {
        const mark = isDelivered
          ? markDelivered(db, delivery)
          : isOver && isLastTry(delivery.attempts)
            ? markFailed(db, delivery)
            : undefined
        await commit(db, {
          tenantId: delivery.tenantId,
          statements: { mark },
          audit: log ?? notAudited('the event log has the logout'),
        })
      }
    }
  }

  async function tryOnce(delivery: Delivery) {
    const { tenantId, id, hookId, payload } = delivery
    if (hookId === null) {
      return { report: await sendLogoutToken(delivery), retries: LOGOUT_RETRIES, log: undefined }
    }

    const hook = await getHook(db, tenantId, hookId)
    // Deleted with its deliveries in this moment.
    if (!hook) return { report: failure('The hook is gone'), retries: 0, log: undefined }
    const report = await postToHook(hook, id, payload)
    return { report, retries: hook.config.retries, log: logOf(hook, payload, report) }
  }

  async function postToHook(
    hook: HookRow,
    id: string,
    payload: Record<string, unknown>,
  ): Promise<DeliveryReport> {
    return reportOf(async () => {
      const { tenantId, id: hookId, config, secret: sealed } = await openHook(seals, hook)
      const { url, headers = {} } = config
      await refusePrivate(tenantId, url)
      const secret = await seals.open(hookSecretLabel(tenantId, hookId), sealed)
      if (typeof secret !== 'string') throw new Error('The secret of the hook does not open: make a new one')
      const message = { url, headers, secret, id, body: JSON.stringify(payload) }
      const { statusCode, body } = await postHook(message, { fetch, now })
      // Some receivers answer with what they received, and the answer is logged.
      return { statusCode, body: maskQuoted(body, headers) }
    })
  }

  async function sendLogoutToken({ tenantId, applicationId, payload }: Delivery): Promise<DeliveryReport> {
    const report = await reportOf(async () => {
      const application = applicationId === null ? null : await getApplication(db, tenantId, applicationId)
      const url = application?.customClientMetadata.backchannelLogoutUri
      if (!application || !url) throw new Error('The application has no back-channel logout address any more')
      // In development an application may run on the same machine (domain/application-rules.ts).
      if (settings.environment !== 'development') await refusePrivate(tenantId, url)
      const keys = await signingKeys.get(tenantId)
      const token = await logoutToken(logoutFacts(payload), application, keys, now())
      return postLogoutToken(url, token, { fetch })
    })
    const { result, error, response } = report
    logEvent('back_channel_logout', { tenantId, applicationId, result, error, status: response?.statusCode })
    return report
  }

  async function refusePrivate(tenantId: string, url: string): Promise<void> {
    const problem = outboundProblem(url, await tenantSettings.get(tenantId))
    if (problem) throw new Error(`The address ${problem}`)
  }

  /** spec/connectors#hook-delivery */
  function logOf(
    { id: hookId, event }: Pick<HookRow, 'id' | 'event'>,
    payload: Record<string, unknown>,
    report: DeliveryReport,
  ): NewLog {
    const key = `TriggerHook.${event}`
    const { userId, application } = payload
    return {
      key,
      createdAt: now(),
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
}

/** Only a 2xx accepts a delivery: redirects are not followed (spec/connectors#hook-delivery). */
async function reportOf(call: () => Promise<HookReply>): Promise<DeliveryReport> {
  try {
    const response = await call()
    const isAccepted = response.statusCode >= 200 && response.statusCode < 300
    return isAccepted
      ? { result: 'Success', response }
      : { ...failure(`The receiver answered ${response.statusCode}`), response }
  } catch (error) {
    return failure(innermostMessage(error))
  }
}

const failure = (error: string): DeliveryReport => ({ result: 'Error', error })

/** A failure is logged and ends its own worker alone; its delivery becomes due again. */
async function withConcurrency(step: (turn: number) => Promise<'goOn' | 'done'>): Promise<void> {
  const worker = async () => {
    let turn = 0
    while ((await step(turn++)) === 'goOn');
  }
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY_LIMIT }, worker))
  for (const result of results) if (result.status === 'rejected') logFailure(result.reason, { at: 'outbox' })
}

function logoutFacts({ issuer, sub, sid }: Record<string, unknown>): LogoutFacts {
  if (typeof issuer !== 'string' || typeof sub !== 'string')
    throw new Error('The logout names no issuer or user')
  return { issuer, sub, sid: textOf(sid) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
