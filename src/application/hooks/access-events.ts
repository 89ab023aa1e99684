import type { NoticeType } from '../../contract/connectors/connectors.ts'
import { allOf, type Condition, isAlwaysTrue } from '../../storage/conditions.ts'
import { asJson, type HookEvents } from '../../storage/hooks/hook-events.ts'
import { storedPasskeyJson } from '../../storage/passkeys/passkeys.ts'
import { hasOtherSession, otherSessionsJson, type SessionKey } from '../../storage/sessions/sessions.ts'
import { hasLiveBrowser, liveBrowsersJson } from '../../storage/sessions/trusted-browsers.ts'
import type { Telling } from '../account/own-call.ts'
import { isFirstInAWhile, noticeOf } from '../connectors/notices.ts'

/**
 * What hooks (spec/connectors#hook-events) and the user (spec/accounts#repeated-notices) are told of access that the user has ended, and
 * of a passkey with another name. What an operator does so is told to nobody.
 */

export const sessionEnded = (sessionId: string) =>
  telling('SessionsEnded', { name: 'sessionIds', json: asJson([sessionId]) })

/** Nothing where there was no other one. */
export const otherSessionsEnded = (key: SessionKey & { now: number }) =>
  telling('SessionsEnded', { name: 'sessionIds', json: otherSessionsJson(key) }, hasOtherSession(key))

export const browserForgotten = (id: string) =>
  telling('BrowsersForgotten', { name: 'trustedBrowserIds', json: asJson([id]) })

export const browsersForgotten = (tenantId: string, userId: string) =>
  telling(
    'BrowsersForgotten',
    { name: 'trustedBrowserIds', json: liveBrowsersJson(tenantId, userId) },
    hasLiveBrowser(tenantId, userId),
  )

export const consentWithdrawn = (applicationId: string) =>
  telling('ConsentWithdrawn', { name: 'withdrawnApplicationId', json: asJson(applicationId) })

export const passkeyRenamed =
  (id: string): Telling =>
  (occasion, entry) => {
    const { tenantId, userId } = occasion
    const json = storedPasskeyJson(tenantId, { userId, id })
    const { hooksBefore, notice } = telling('PasskeyRenamed', { name: 'passkey', json })(occasion, entry)
    // With its new name.
    return { hooks: hooksBefore, notice }
  }

type Told = Extract<NoticeType, 'SessionsEnded' | 'BrowsersForgotten' | 'ConsentWithdrawn' | 'PasskeyRenamed'>

const telling =
  (type: Told, subject: HookEvents['subject'], condition: Condition = isAlwaysTrue): Telling =>
  ({ tenantId, userId, applicationId, message, now }, entry) => {
    const isFirst = isFirstInAWhile(tenantId, { userId, entry, now })
    return {
      hooksBefore: [{ event: `User.${type}`, userId, applicationId, subject, condition, now }],
      notice: {
        ...noticeOf(message, { userId, type, informed: [], now }),
        condition: allOf(condition, isFirst),
      },
    }
  }
