import type { NoticeType } from '../../contract/connectors/message-types.ts'
import { ALWAYS_TRUE, allOf, type Condition } from '../../storage/conditions.ts'
import { type HookEvents, jsonExpression } from '../../storage/hooks/hook-events.ts'
import { storedPasskeyJson } from '../../storage/passkeys/passkeys.ts'
import { hasOtherSession, otherSessionsJson, type SessionKey } from '../../storage/sessions/sessions.ts'
import { hasLiveBrowser, liveBrowsersJson } from '../../storage/sessions/trusted-browsers.ts'
import { createNotice, isFirstRecentChange } from '../connectors/notices.ts'
import type { NotificationFactory } from './events.ts'

/**
 * Creates the notifications about changes that users make themselves: ending sessions, forgetting browsers, withdrawing
 * consents and renaming passkeys (spec/connectors#hook-events, spec/accounts#repeated-notices). If an operator makes
 * such a change, nobody is notified.
 */

export const sessionEndedNotification = (sessionId: string) =>
  firstNotification('SessionsEnded', { name: 'sessionIds', json: jsonExpression([sessionId]) })

/** Returns the notifications about ended sessions. There are none if the user had no other session. */
export const otherSessionsEndedNotification = (key: SessionKey & { now: number }) =>
  firstNotification(
    'SessionsEnded',
    { name: 'sessionIds', json: otherSessionsJson(key) },
    hasOtherSession(key),
  )

export const browserForgottenNotification = (id: string) =>
  firstNotification('BrowsersForgotten', { name: 'trustedBrowserIds', json: jsonExpression([id]) })

export const browsersForgottenNotification = (tenantId: string, userId: string) =>
  firstNotification(
    'BrowsersForgotten',
    { name: 'trustedBrowserIds', json: liveBrowsersJson(tenantId, userId) },
    hasLiveBrowser(tenantId, userId),
  )

export const consentWithdrawnNotification = (applicationId: string) =>
  firstNotification('ConsentWithdrawn', {
    name: 'withdrawnApplicationId',
    json: jsonExpression(applicationId),
  })

export const passkeyRenamedNotification =
  (id: string): NotificationFactory =>
  (context, entry) => {
    const { tenantId, userId } = context
    const json = storedPasskeyJson(tenantId, { userId, id })
    const { hooksBefore, notice } = firstNotification('PasskeyRenamed', { name: 'passkey', json })(
      context,
      entry,
    )
    // The event is created after the change, so that it contains the new name.
    return { hooks: hooksBefore, notice }
  }

type RepeatedNotice = Extract<
  NoticeType,
  'SessionsEnded' | 'BrowsersForgotten' | 'ConsentWithdrawn' | 'PasskeyRenamed'
>

const firstNotification =
  (
    type: RepeatedNotice,
    subject: HookEvents['subject'],
    condition: Condition = ALWAYS_TRUE,
  ): NotificationFactory =>
  ({ tenantId, userId, applicationId, message, now }, entry) => {
    const isFirst = isFirstRecentChange(tenantId, { userId, entry, now })
    return {
      hooksBefore: [{ event: `User.${type}`, userId, applicationId, subject, condition, now }],
      notice: {
        ...createNotice(message, { userId, type, now }),
        condition: allOf(condition, isFirst),
      },
    }
  }
