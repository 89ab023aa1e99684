import type { NoticeType } from '../contract/connectors.ts'
import { Refused } from '../contract/refused.ts'
import { isLastAttempt } from '../domain/delivery-schedule.ts'
import { logFailure } from '../storage/event-log.ts'
import {
  claimNextNotice,
  claimNotice,
  deleteNotice,
  type Notice,
  type NoticeEvent,
  type NoticeKey,
} from '../storage/notices.ts'
import type { SendingDependencies } from './deliver-message.ts'
import type { Dependencies } from './dependencies.ts'
import { messageLanguage } from './message-language.ts'
import { type MessageRequest, sendMessage } from './send-message.ts'

/** Of a column each (spec/storage#notices). */
const MOST_CHARACTERS = 256

/** What a notice says of the request that it follows. Its language is chosen when it is sent: here it would cost a round trip. */
export const noticeOf = (
  { requestId, host, acceptLanguage }: MessageRequest,
  event: Pick<NoticeEvent, 'userId' | 'id' | 'told' | 'now'> & { type: NoticeType },
): NoticeEvent => ({
  ...event,
  requestId,
  host: host.slice(0, MOST_CHARACTERS),
  acceptLanguage: acceptLanguage?.slice(0, MOST_CHARACTERS),
})

type NoticeDependencies = SendingDependencies & Pick<Dependencies, 'experience' | 'phrases'>
type Result = 'Success' | 'Error'

/** Behind the answer. Null when another sender has it, or when there is none. */
export async function sendNotice(dependencies: NoticeDependencies, key: NoticeKey): Promise<Result | null> {
  const claimed = await claimNotice(dependencies.db, key, dependencies.now())
  return claimed && sendClaimed(dependencies, claimed)
}

/** From the schedule. Null when none is due. */
export async function sendNextNotice(dependencies: NoticeDependencies): Promise<Result | null> {
  const claimed = await claimNextNotice(dependencies.db, dependencies.now())
  return claimed && sendClaimed(dependencies, claimed)
}

/**
 * One attempt through the tenant's connector. The notice goes when it is sent, after its last attempt,
 * and in a tenant without a connector for e-mail (spec/accounts#notices). The service log has the attempts.
 */
async function sendClaimed(dependencies: NoticeDependencies, notice: Notice): Promise<Result> {
  const isSent = await attempt(dependencies, notice)
  if (isSent || isLastAttempt(notice.attempts)) await deleteNotice(dependencies.db, notice)
  return isSent ? 'Success' : 'Error'
}

async function attempt(
  dependencies: NoticeDependencies,
  { tenantId, recipient, type, acceptLanguage, host, requestId }: Notice,
): Promise<boolean> {
  try {
    const language = await messageLanguage(dependencies, tenantId, acceptLanguage ?? undefined)
    await sendMessage(dependencies, tenantId, {
      channel: 'email',
      to: recipient,
      type,
      code: '',
      language,
      host,
      requestId,
    })
    return true
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'connector.not_found') return true
    // A failure of the connector is in the event log already.
    if (!(error instanceof Refused)) logFailure(error, { at: 'notice', tenantId })
    return false
  }
}
