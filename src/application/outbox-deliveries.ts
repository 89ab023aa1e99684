import { postLogoutToken, postMessage, type Reply } from '../connectors/webhook.ts'
import { isLastTry } from '../domain/delivery-schedule.ts'
import { maskQuoted, maskSecrets } from '../domain/masking.ts'
import { outboundProblem } from '../domain/outbound-address.ts'
import type { SigningKeys } from '../oidc/keys.ts'
import { type Application, getApplication } from '../storage/applications.ts'
import { reason } from '../storage/database.ts'
import { logEvent, logFailure } from '../storage/event-log.ts'
import { getHook, type HookRow, hookSecretLabel, openHook } from '../storage/hooks.ts'
import { insertLog } from '../storage/logs.ts'
import {
  claimDelivery,
  claimNextDelivery,
  type Delivery,
  type LogoutFacts,
  markDelivered,
  markFailed,
} from '../storage/outbox.ts'
import type { Deliveries, DeliveryReport } from './deliveries.ts'
import type { Dependencies } from './dependencies.ts'

type App = Pick<Dependencies, 'db' | 'now' | 'seals' | 'settings' | 'tenantSettings' | 'signingKeys'>

type ConnectorContext = {
  fetch: typeof fetch
  logoutToken(facts: LogoutFacts, application: Application, keys: SigningKeys, now: number): Promise<string>
  /** Milliseconds. */
  wait(time: number): Promise<void>
}

/** The wait before the first quick try again; it doubles. Ours. */
const FIRST_WAIT = 500 // ms

/** `waitUntil` ends after 30 s (design 2): later no try begins whose ten seconds would not fit. */
const QUICK_TRIES_END = 20_000 // ms

/** The quick tries of a logout, which has no settings of its own. Ours. */
const LOGOUT_RETRIES = 1

/** Workers open so many connections at once; what waits for one uses up its ten seconds waiting. */
const LANES = 6

/** A run ends before the next begins, and within the 1000 subrequests of an invocation. Ours. */
const RUN_ENDS = 45_000 // ms
const MOST_PER_LANE = 25

export function createDeliveries(
  { db, now, seals, settings, tenantSettings, signingKeys }: App,
  { fetch, logoutToken, wait }: ConnectorContext,
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
        const claimed = now() < end && turn < MOST_PER_LANE ? await claimNextDelivery(db, now()) : null
        if (!claimed) return 'done'
        const result = await deliver(claimed, { isQuick: false })
        if (result === 'Success') counts.delivered++
        else counts.failed++
        return 'goOn'
      })
      return counts
    },

    async sendToHook(hook, id, payload) {
      const report = await tellHook(hook, id, payload)
      await logOf(hook, payload, report)
      return report
    },
  }

  /** Claimed by now: nobody else sends it. A crash from here on means that it is sent again. */
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
          ? [markDelivered(db, delivery)]
          : isOver && isLastTry(delivery.attempts)
            ? [markFailed(db, delivery)]
            : []
        const [first, ...rest] = [...mark, ...(log ? [log] : [])]
        if (first) await db.batch([first, ...rest])
      }
    }
  }

  async function tryOnce(delivery: Delivery) {
    const { tenantId, id, hookId, payload } = delivery
    if (hookId === null) return { report: await signOut(delivery), retries: LOGOUT_RETRIES, log: undefined }

    const hook = await getHook(db, tenantId, hookId)
    // It went with its outbox, just now.
    if (!hook) return { report: failure('The hook is gone'), retries: 0, log: undefined }
    const report = await tellHook(hook, id, payload)
    return { report, retries: hook.config.retries, log: logOf(hook, payload, report) }
  }

  async function tellHook(
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
      const { statusCode, body } = await postMessage(message, { fetch, now })
      // Some receivers answer what they were sent, and the answer is logged.
      return { statusCode, body: maskQuoted(body, headers) }
    })
  }

  async function signOut({ tenantId, applicationId, payload }: Delivery): Promise<DeliveryReport> {
    const report = await reportOf(async () => {
      const application = applicationId === null ? null : await getApplication(db, tenantId, applicationId)
      const url = application?.customClientMetadata.backchannelLogoutUri
      if (!application || !url) throw new Error('The application no longer wants to know')
      // In development an application may stand on the same machine (domain/application-rules.ts).
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

  /** Contract 2.9. */
  function logOf(
    { tenantId, id: hookId, event }: Pick<HookRow, 'tenantId' | 'id' | 'event'>,
    payload: Record<string, unknown>,
    report: DeliveryReport,
  ) {
    const key = `TriggerHook.${event}`
    const { userId, application } = payload
    return insertLog(db, tenantId, {
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
    })
  }
}

/** Only a 2xx is an acceptance: a redirect is not followed (decision 18). */
async function reportOf(call: () => Promise<Reply>): Promise<DeliveryReport> {
  try {
    const response = await call()
    const isAccepted = response.statusCode >= 200 && response.statusCode < 300
    return isAccepted
      ? { result: 'Success', response }
      : { ...failure(`The receiver answered ${response.statusCode}`), response }
  } catch (error) {
    return failure(reason(error))
  }
}

const failure = (error: string): DeliveryReport => ({ result: 'Error', error })

/** What fails in one lane is logged and holds up none of the others; its delivery comes up again. */
async function withConcurrency(step: (turn: number) => Promise<'goOn' | 'done'>): Promise<void> {
  const worker = async () => {
    let turn = 0
    while ((await step(turn++)) === 'goOn');
  }
  const results = await Promise.allSettled(Array.from({ length: LANES }, worker))
  for (const result of results) if (result.status === 'rejected') logFailure(result.reason, { at: 'outbox' })
}

function logoutFacts({ issuer, sub, sid }: Record<string, unknown>): LogoutFacts {
  if (typeof issuer !== 'string' || typeof sub !== 'string') throw new Error('The logout says nothing')
  return { issuer, sub, sid: textOf(sid) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
