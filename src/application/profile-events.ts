import type { OutboxEvents } from '../storage/commit.ts'
import { isAlwaysTrue } from '../storage/conditions.ts'
import { isFirstOfItsKind } from '../storage/logs.ts'
import { type ToldOccasion, userUpdated } from './account-events.ts'
import { noticeOf, TOLD_ONCE_IN } from './notices.ts'
import type { Entry } from './own-call.ts'

type ProfileChange = Omit<ToldOccasion, 'message'> & {
  message: ToldOccasion['message'] | null
  entry: Entry
  /** Each new username is told: it is how the user signs in. */
  isRenamed: boolean
}

/** Of other changes the user is told of the first in a while (spec/accounts#repeated-notices). */
export function profileChanged({ message, entry, isRenamed, ...occasion }: ProfileChange): OutboxEvents {
  const { tenantId, userId, now } = occasion
  const hooks = [userUpdated(occasion)]
  if (!message) return { hooks }
  const notice = noticeOf(message, { userId, type: 'ProfileChanged', informed: [], now })
  const isFirst = isFirstOfItsKind(tenantId, { ...entry, userId, since: now - TOLD_ONCE_IN })
  return { hooks, notice: { ...notice, condition: isRenamed ? isAlwaysTrue : isFirst } }
}
