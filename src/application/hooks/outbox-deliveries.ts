import { isLastAttempt } from '../../domain/hooks/delivery-schedule.ts'
import { commitChange, notAudited } from '../../storage/commit.ts'
import { logFailure } from '../../storage/event-log.ts'
import {
  claimDelivery,
  claimNextDelivery,
  type Delivery,
  markDelivered,
  markFailed,
} from '../../storage/hooks/outbox.ts'
import { insertLogs } from '../../storage/logs.ts'
import { sendNextNotice, sendNotices } from '../connectors/notices.ts'
import type { Dependencies } from '../dependencies.ts'
import { attemptHookDelivery, callHook, callLogoutUrl, hookCallLog, type LogoutPlatform } from './call.ts'
import type { DeliveryService } from './deliveries.ts'

type DeliveryDependencies = Pick<
  Dependencies,
  | 'db'
  | 'now'
  | 'seals'
  | 'settings'
  | 'tenantSettings'
  | 'signingKeys'
  | 'network'
  | 'experience'
  | 'phrases'
>

type DeliveryPlatform = LogoutPlatform & {
  /** Waits for a number of milliseconds. */
  wait(milliseconds: number): Promise<void>
}

/** The delay before the first quick retry. It doubles with each further retry. Our choice. */
const FIRST_WAIT = 500 // ms

/**
 * The time after which no quick retry begins. `waitUntil` ends after 30 seconds, and an attempt may take ten seconds
 * (spec/limits#deliveries).
 */
const QUICK_RETRY_WINDOW = 20_000 // ms

/** The number of quick retries for a logout token. Applications, unlike hooks, have no setting for it. Our choice. */
const LOGOUT_RETRIES = 1

/**
 * The number of messages that are sent right after a response. A change of many users can cause more; the schedule sends
 * the others. A message takes up to ten statements, which leaves 700 of the 1,000 of an invocation to the change
 * (spec/storage#platform-limits). Our choice.
 */
const MAX_QUICK = 30

/**
 * The number of connections that a Worker can have open at once. Any further attempt would spend its ten seconds
 * waiting for one.
 */
const CONCURRENCY_LIMIT = 6

/**
 * The limits of a scheduled run. It must end before the next one begins and stay below 1,000 subrequests, the maximum
 * per invocation. Our choice.
 */
const RUN_DURATION = 45_000 // ms
const MAX_PER_WORKER = 25
const MAX_NOTICES_PER_WORKER = 5

export function createDeliveryService(
  dependencies: DeliveryDependencies,
  platform: DeliveryPlatform,
): DeliveryService {
  const { db, now } = dependencies

  return {
    async send(tenantId, ids) {
      const waiting = ids.slice(0, MAX_QUICK)
      await withConcurrency(async () => {
        const id = waiting.shift()
        if (id === undefined) return 'done'
        const delivery = await claimDelivery(db, { tenantId, id }, now())
        if (delivery) await deliver(delivery, { isQuick: true })
        return 'continue'
      })
    },

    async sendNotices(owner) {
      await sendNotices(dependencies, owner)
    },

    async sendDue() {
      const counts = { delivered: 0, failed: 0 }
      const end = now() + RUN_DURATION
      await withConcurrency(async (turn) => {
        const delivery = now() < end && turn < MAX_PER_WORKER ? await claimNextDelivery(db, now()) : null
        if (!delivery) return 'done'
        count(await deliver(delivery, { isQuick: false }))
        return 'continue'
      })
      await withConcurrency(async (turn) => {
        const hasTime = now() < end && turn < MAX_NOTICES_PER_WORKER
        const result = hasTime ? await sendNextNotice(dependencies) : null
        if (!result) return 'done'
        count(result)
        return 'continue'
      })
      return counts

      function count(result: 'Success' | 'Error') {
        if (result === 'Success') counts.delivered++
        else counts.failed++
      }
    },

    async sendToHook(hook, id, payload) {
      const report = await callHook(dependencies, platform, { hook, id, payload })
      await insertLogs(db, hook.tenantId, [hookCallLog(hook, { id, payload, report, now: now() })])
      return report
    },
  }

  /**
   * Makes the attempts for a delivery that this sender has claimed. If the sender crashes, the delivery becomes due
   * again.
   */
  async function deliver(
    delivery: Delivery,
    { isQuick }: { isQuick: boolean },
  ): Promise<'Success' | 'Error'> {
    const end = now() + (isQuick ? QUICK_RETRY_WINDOW : 0)
    for (let tries = 0, pause = FIRST_WAIT; ; tries++, pause *= 2) {
      const { report, retries, log } = await attempt(delivery)
      const isDelivered = report.result === 'Success'
      const isOver = isDelivered || tries >= retries || now() + pause >= end
      await settle()
      if (isOver) return report.result
      await platform.wait(pause)

      async function settle() {
        const mark = isDelivered
          ? markDelivered(db, delivery)
          : isOver && isLastAttempt(delivery.attempts)
            ? markFailed(db, delivery)
            : undefined
        await commitChange(db, {
          tenantId: delivery.tenantId,
          statements: { mark },
          audit: log ?? notAudited('the event log has the logout'),
        })
      }
    }
  }

  async function attempt(delivery: Delivery) {
    if (delivery.hookId !== null) {
      return attemptHookDelivery(dependencies, platform, delivery, delivery.hookId)
    }
    const report = await callLogoutUrl(dependencies, platform, delivery)
    return { report, retries: LOGOUT_RETRIES, log: undefined }
  }
}

/**
 * Runs steps in parallel workers. A failure is logged and ends only its own worker; the failed delivery becomes due
 * again.
 */
async function withConcurrency(step: (turn: number) => Promise<'continue' | 'done'>): Promise<void> {
  const worker = async () => {
    let turn = 0
    while ((await step(turn++)) === 'continue');
  }
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY_LIMIT }, worker))
  for (const result of results) if (result.status === 'rejected') logFailure(result.reason, { at: 'outbox' })
}
