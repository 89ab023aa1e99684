import { allOf, not } from '../../storage/conditions.ts'
import type { NoticeEvent } from '../../storage/connectors/notices.ts'
import {
  hasNewBrowserSince,
  hasSignedInBefore,
  hasUsedBrowser,
  type TrustedBrowser,
} from '../../storage/sessions/trusted-browsers.ts'
import { createNotice, NOTICE_INTERVAL } from '../connectors/notices.ts'

export type NewSignInNotice = {
  notice: NoticeEvent
  /** True if the notice will probably be written, so that it is worth sending after the response. */
  isLikely: boolean
}

/**
 * Returns the notice of a sign-in in a browser that the user has not used before (spec/accounts#new-sign-in). There is
 * none for the first sign-in of an account. The batch of the sign-in writes it before it records the browser. Further
 * new browsers within the notice interval share one message.
 */
export function newSignInNotice(
  message: Parameters<typeof createNotice>[0],
  {
    tenantId,
    userId,
    browser,
    now,
  }: { tenantId: string; userId: string; browser: TrustedBrowser | null; now: number },
): NewSignInNotice {
  const owner = { tenantId, userId }
  // The cookie has to list the user, because a copy from before the user's first sign-in in a shared browser does not.
  const known = browser?.userIds.includes(userId) ? browser : null
  return {
    notice: createNotice(message, {
      userId,
      type: 'NewSignIn',
      channel: 'email',
      condition: allOf(
        hasSignedInBefore(tenantId, userId, now),
        ...(known ? [not(hasUsedBrowser(owner, known.id))] : []),
      ),
      unlessFirst: {
        isFirst: not(hasNewBrowserSince(owner, now - NOTICE_INTERVAL)),
        sendAt: now + NOTICE_INTERVAL,
      },
      now,
    }),
    // If the user has removed the browser since, the scheduled maintenance sends the notice.
    isLikely: known === null,
  }
}
