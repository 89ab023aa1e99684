import { Activity } from '../../../client/account/activity.tsx'
import { DAY } from '../../contract/time.ts'
import {
  classifyActivity,
  formatCursor,
  isOperatorEvent,
  parseCursor,
} from '../../domain/account/account-activity.ts'
import { nonEmptyText } from '../../domain/place.ts'
import { parseUserAgent } from '../../domain/user-agent.ts'
import { ACTIVITY_PAGE_SIZE, activityQueries } from '../../storage/account/activity-list.ts'
import type { AccountPage } from './page.ts'

const ACTIVITY_PERIOD = 90 * DAY // ms; the default retention period of the audit log (spec/storage#retention)

export const activityPage: AccountPage = {
  field: 'activity',
  actions: {},
  async show({ dependencies: { db, now }, tenantId, url, readList }) {
    const before = parseCursor(url.searchParams.get('before'))
    const { signedIn, rows } = await readList((userId) =>
      activityQueries(db, tenantId, { userId, since: now() - ACTIVITY_PERIOD, before }),
    )
    const activity = rows.activity.slice(0, ACTIVITY_PAGE_SIZE)
    const [end] = rows.end
    const last = rows.activity.length > ACTIVITY_PAGE_SIZE ? activity.at(-1) : end
    const entries = activity.map(({ id, key, payload, createdAt, application }) => {
      // An operator's entries contain the operator's device and location, so these are not shown.
      const isOwn = !isOperatorEvent({ key })
      return {
        id,
        kind: classifyActivity({ key, result: payload.result }),
        at: createdAt,
        application,
        device: isOwn ? parseUserAgent(nonEmptyText(payload.userAgent)) : null,
        country: isOwn ? nonEmptyText(payload.country) : null,
        city: isOwn ? nonEmptyText(payload.city) : null,
      }
    })
    const older = last ? formatCursor(last) : null
    const body = <Activity entries={entries} older={older} isFirst={before === null} />
    return { title: 'activity', signedIn, body }
  },
}
