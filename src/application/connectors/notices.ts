import type { NoticeType } from '../../contract/connectors/message-types.ts'
import { RefusalError } from '../../contract/refused.ts'
import { MINUTE } from '../../contract/time.ts'
import { isLastAttempt } from '../../domain/hooks/delivery-schedule.ts'
import { originForMessages } from '../../domain/tenants/hosts.ts'
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
import { type IdentifiedLog, isFirstChangeOfKind } from '../../storage/logs.ts'
import { createUndoLink } from '../account/undo-link.ts'
import { countNotice } from '../codes/send.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SendingDependencies } from './deliver.ts'
import { chooseMessageWording, type MessageRequest, sendMessage } from './send.ts'

/**
 * Changes within this time share one message, because users often make several changes in a row or resubmit forms, and
 * nobody would read ten messages. We chose the value.
 */
export const NOTICE_INTERVAL = 10 * MINUTE

type Change = { userId: string; entry: IdentifiedLog; now: number }

/** Returns the condition that the user made no other change of this kind within the notice interval. */
export const isFirstRecentChange = (tenantId: string, { userId, entry, now }: Change) =>
  isFirstChangeOfKind(tenantId, { ...entry, userId, since: now - NOTICE_INTERVAL })

/**
 * Makes a notice wait for the notice interval unless it is the first one. Notices that wait share one message. Used for
 * changes that users are always notified of.
 */
export const combineAfterFirst = (tenantId: string, change: Change) => ({
  isFirst: isFirstRecentChange(tenantId, change),
  sendAt: change.now + NOTICE_INTERVAL,
})

/** The maximum length of a text column, in characters (spec/storage#notices). */
const MAX_CHARACTERS = 256

/**
 * Adds details of the request to a notice. The language is chosen when the notice is sent, because choosing it takes
 * another round trip.
 */
export const createNotice = (
  { requestId, host, acceptLanguage, caller }: MessageRequest,
  {
    facts,
    ...event
  }: Pick<
    NoticeEvent,
    | 'userId'
    | 'informed'
    | 'reaches'
    | 'undo'
    | 'aboutAt'
    | 'facts'
    | 'channel'
    | 'condition'
    | 'unlessFirst'
    | 'now'
  > & { type: NoticeType },
): NoticeEvent => ({
  ...event,
  requestId,
  host: host.slice(0, MAX_CHARACTERS),
  acceptLanguage: acceptLanguage?.slice(0, MAX_CHARACTERS),
  facts: { ...caller, ...facts },
})

type NoticeDependencies = SendingDependencies &
  Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>
type Result = 'Success' | 'Error'

/** Sends the user's notices that no other sender has claimed. Runs after the response. */
export async function sendNotices(dependencies: NoticeDependencies, owner: NoticeOwner): Promise<void> {
  const notices = await claimNotices(dependencies.db, owner, dependencies.now())
  for (const notice of notices) await sendClaimed(dependencies, notice)
}

/** Sends the next notice that is due, or returns null if there is none. Scheduled maintenance calls this. */
export async function sendNextNotice(dependencies: NoticeDependencies): Promise<Result | null> {
  const notice = await claimNextNotice(dependencies.db, dependencies.now())
  return notice && sendClaimed(dependencies, notice)
}

/**
 * Makes one attempt to send a notice through the tenant's connector. The notice is deleted once it has been sent, after
 * its last attempt, or if it can never be sent (spec/accounts#notices). The service log records every attempt.
 */
async function sendClaimed(dependencies: NoticeDependencies, notice: Notice): Promise<Result> {
  const isSent = await attempt(dependencies, notice)
  if (isSent || isLastAttempt(notice.attempts)) await deleteNotice(dependencies.db, notice)
  return isSent ? 'Success' : 'Error'
}

/**
 * The errors for which a retry is pointless: no connector of this type, no template at the provider, or a country that
 * is not allowed.
 */
const FINAL_REFUSALS = [
  'connector.not_found',
  'connector.template_not_found',
  'verification_code.country_not_allowed',
]

async function attempt(dependencies: NoticeDependencies, notice: Notice): Promise<boolean> {
  const { tenantId, recipient, type, acceptLanguage, host, requestId, aboutAt, facts, createdAt } = notice
  const channel = noticeChannel(notice)
  try {
    // A notice to a phone number over its own limit is dropped. If a shared limit is exceeded, the notice waits for the
    // next attempt.
    if (channel === 'sms' && !(await countNotice(dependencies, tenantId, recipient))) return true
    const request = { host, acceptLanguage: acceptLanguage ?? undefined }
    const wording = await chooseMessageWording(dependencies, tenantId, request)
    await sendMessage(dependencies, tenantId, {
      channel,
      to: recipient,
      type,
      code: '',
      aboutAt: aboutAt ?? undefined,
      ...wording,
      host,
      requestId,
      link: await createUndoLink(dependencies, notice),
      notice: { at: createdAt, facts: facts ?? {}, notMe: await notMeLink(dependencies, notice) },
    })
    return true
  } catch (error) {
    if (error instanceof RefusalError && FINAL_REFUSALS.includes(error.refusal.code)) return true
    // The event log already contains connector failures.
    if (!(error instanceof RefusalError)) logFailure(error, { at: 'notice', tenantId })
    return false
  }
}

/** Returns the address of the page that says what to do, or undefined if users cannot open the account centre. */
async function notMeLink(
  { settings, tenantSettings }: Pick<Dependencies, 'settings' | 'tenantSettings'>,
  { tenantId, host }: Pick<Notice, 'tenantId' | 'host'>,
): Promise<string | undefined> {
  const { accountCentre } = await tenantSettings.get(tenantId)
  const { isDevelopment } = settings.hosting
  return accountCentre.enabled
    ? `${originForMessages(host, { ...settings, isDevelopment })}${NOT_ME_PATH}`
    : undefined
}

const NOT_ME_PATH = '/account/not-me'
