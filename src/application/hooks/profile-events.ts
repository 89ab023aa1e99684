import type { OutboxEvents } from '../../storage/commit.ts'
import { isAlwaysTrue } from '../../storage/conditions.ts'
import type { IdentifiedLog } from '../../storage/logs.ts'
import { isFirstInAWhile, noticeOf } from '../connectors/notices.ts'
import { type ToldOccasion, userUpdated } from './account-events.ts'

type ProfileChange = Omit<ToldOccasion, 'message'> & {
  message: ToldOccasion['message'] | null
  entry: IdentifiedLog
  /** Each new username is told: it is how the user signs in. */
  isRenamed: boolean
}

/** Of other changes the user is told of the first in a while (spec/accounts#repeated-notices). */
export function profileChanged({ message, entry, isRenamed, ...occasion }: ProfileChange): OutboxEvents {
  const { tenantId, userId, now } = occasion
  const hooks = [userUpdated(occasion)]
  if (!message) return { hooks }
  const notice = noticeOf(message, { userId, type: 'ProfileChanged', informed: [], now })
  const isFirst = isFirstInAWhile(tenantId, { userId, entry, now })
  return { hooks, notice: { ...notice, condition: isRenamed ? isAlwaysTrue : isFirst } }
}
