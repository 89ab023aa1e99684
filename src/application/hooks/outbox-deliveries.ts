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
import { attemptHookDelivery, callHook, callLogoutAddress, hookCallLog, type LogoutPlatform } from './call.ts'
import type { Deliveries } from './deliveries.ts'

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
const MAX_PER_WORKER = 25
const MAX_NOTICES_PER_WORKER = 5

export function createDeliveries(dependencies: DeliveryDependencies, platform: DeliveryPlatform): Deliveries {
  const { db, now } = dependencies

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

    async sendNotices(owner) {
      await sendNotices(dependencies, owner)
    },

    async sendDue() {
      const counts = { delivered: 0, failed: 0 }
      const end = now() + RUN_ENDS
      await withConcurrency(async (turn) => {
        const claimed = now() < end && turn < MAX_PER_WORKER ? await claimNextDelivery(db, now()) : null
        if (!claimed) return 'done'
        count(await deliver(claimed, { isQuick: false }))
        return 'goOn'
      })
      await withConcurrency(async (turn) => {
        const isTime = now() < end && turn < MAX_NOTICES_PER_WORKER
        const result = isTime ? await sendNextNotice(dependencies) : null
        if (!result) return 'done'
        count(result)
        return 'goOn'
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

  /** The delivery is claimed: no other sender has it. After a crash it is sent again. */
  async function deliver(
    delivery: Delivery,
    { isQuick }: { isQuick: boolean },
  ): Promise<'Success' | 'Error'> {
    const end = now() + (isQuick ? QUICK_TRIES_END : 0)
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
    const report = await callLogoutAddress(dependencies, platform, delivery)
    return { report, retries: LOGOUT_RETRIES, log: undefined }
  }
}

/** A failure is logged and ends its own worker alone; its delivery becomes due again. */
async function withConcurrency(step: (turn: number) => Promise<'goOn' | 'done'>): Promise<void> {
  const worker = async () => {
    let turn = 0
    while ((await step(turn++)) === 'goOn');
  }
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY_LIMIT }, worker))
  for (const result of results) if (result.status === 'rejected') logFailure(result.reason, { at: 'outbox' })
}
