import type { NoticeType } from '../../contract/connectors/connectors.ts'
import { RefusalError } from '../../contract/refused.ts'
import { MINUTE } from '../../contract/time.ts'
import { isLastAttempt } from '../../domain/hooks/delivery-schedule.ts'
import {
  claimNextNotice,
  claimNotices,
  deleteNotice,
  type Notice,
  type NoticeEvent,
  type NoticeOwner,
  noticeChannel,
} from '../../storage/connectors/notices.ts'
import { logFailure } from '../../storage/event-log.ts'
import { type IdentifiedLog, isFirstOfItsKind } from '../../storage/logs.ts'
import { linkOf } from '../account/undo-link.ts'
import { countNotice } from '../codes/send.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SendingDependencies } from './deliver.ts'
import { type MessageRequest, messageWording, sendMessage } from './send.ts'

/** A list has a button in each row, and a form is sent again: one message tells of all in this time. Ours: nobody reads ten. */
const NOTICE_INTERVAL = 10 * MINUTE

type Change = { userId: string; entry: IdentifiedLog; now: number }

/** The user has made no other change of this kind in that time. */
export const isFirstInAWhile = (tenantId: string, { userId, entry, now }: Change) =>
  isFirstOfItsKind(tenantId, { ...entry, userId, since: now - NOTICE_INTERVAL })

/** For a change that is never left untold: the notices of those behind the first wait together. */
export const togetherUnlessFirst = (tenantId: string, change: Change) => ({
  isFirst: isFirstInAWhile(tenantId, change),
  sendAt: change.now + NOTICE_INTERVAL,
})

/** Of a column each (spec/storage#notices). */
const MAX_CHARACTERS = 256

/** What a notice says of the request that it follows. Its language is chosen when it is sent: here it would cost a round trip. */
export const noticeOf = (
  { requestId, host, acceptLanguage }: MessageRequest,
  event: Pick<NoticeEvent, 'userId' | 'informed' | 'reaches' | 'undo' | 'aboutAt' | 'unlessFirst' | 'now'> & {
    type: NoticeType
  },
): NoticeEvent => ({
  ...event,
  requestId,
  host: host.slice(0, MAX_CHARACTERS),
  acceptLanguage: acceptLanguage?.slice(0, MAX_CHARACTERS),
})

type NoticeDependencies = SendingDependencies &
  Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>
type Result = 'Success' | 'Error'

/** Behind the answer: those that no other sender has. */
export async function sendNotices(dependencies: NoticeDependencies, owner: NoticeOwner): Promise<void> {
  const claimed = await claimNotices(dependencies.db, owner, dependencies.now())
  for (const notice of claimed) await sendClaimed(dependencies, notice)
}

/** From the schedule. Null when none is due. */
export async function sendNextNotice(dependencies: NoticeDependencies): Promise<Result | null> {
  const claimed = await claimNextNotice(dependencies.db, dependencies.now())
  return claimed && sendClaimed(dependencies, claimed)
}

/**
 * One attempt through the tenant's connector. The notice is deleted when it is sent, after its last attempt, and where it
 * cannot be sent (spec/accounts#notices). The service log has the attempts.
 */
async function sendClaimed(dependencies: NoticeDependencies, notice: Notice): Promise<Result> {
  const isSent = await attempt(dependencies, notice)
  if (isSent || isLastAttempt(notice.attempts)) await deleteNotice(dependencies.db, notice)
  return isSent ? 'Success' : 'Error'
}

/** Of a tenant without a connector of this kind, without the provider's template, or without this country. */
const FINAL = ['connector.not_found', 'connector.template_not_found', 'verification_code.country_not_allowed']

async function attempt(dependencies: NoticeDependencies, notice: Notice): Promise<boolean> {
  const { tenantId, recipient, type, acceptLanguage, host, requestId, aboutAt } = notice
  const channel = noticeChannel(notice)
  try {
    // Above what its number has, a text message is dropped; above what all have, it waits for the schedule.
    if (channel === 'sms' && !(await countNotice(dependencies, tenantId, recipient))) return true
    const wording = await messageWording(dependencies, tenantId, acceptLanguage ?? undefined)
    await sendMessage(dependencies, tenantId, {
      channel,
      to: recipient,
      type,
      code: '',
      aboutAt: aboutAt ?? undefined,
      ...wording,
      host,
      requestId,
      link: await linkOf(dependencies, notice),
    })
    return true
  } catch (error) {
    if (error instanceof RefusalError && FINAL.includes(error.refusal.code)) return true
    // A failure of the connector is in the event log already.
    if (!(error instanceof RefusalError)) logFailure(error, { at: 'notice', tenantId })
    return false
  }
}
