import { OrganizationActivity } from '../../../client/account/organisations/activity.tsx'
import { DAY } from '../../contract/time.ts'
import { formatCursor, isOperatorEvent, parseCursor } from '../../domain/account/account-activity.ts'
import { classifyOrganizationEvent } from '../../domain/organisations/organization-activity.ts'
import { ACTIVITY_PAGE_SIZE } from '../../storage/account/activity-list.ts'
import { organizationActivityQueries } from '../../storage/organisations/organization-pages.ts'
import type { AccountPage } from '../account/page.ts'
import { memberQueries, organizationIdIn, requireMember } from './organization-visit.ts'

const ACTIVITY_PERIOD = 90 * DAY // ms; the default retention period of the audit log (spec/storage#retention)

export const organizationActivityPage: AccountPage = {
  actions: {},
  async show(visit) {
    const { dependencies, tenantId, url } = visit
    const { db, now } = dependencies
    const before = parseCursor(url.searchParams.get('before'))
    const range = { since: now() - ACTIVITY_PERIOD, before }
    const { signedIn, rows } = await visit.readList((userId) => ({
      ...memberQueries(visit, userId),
      ...organizationActivityQueries(db, { tenantId, organizationId: organizationIdIn(url) }, range),
    }))
    const { organization } = requireMember(rows, 'log:read')
    const activity = rows.activity.slice(0, ACTIVITY_PAGE_SIZE)
    const last = rows.activity.length > ACTIVITY_PAGE_SIZE ? activity.at(-1) : rows.end[0]
    const entries = activity.map(({ id, key, createdAt, ...row }) => ({
      id,
      kind: classifyOrganizationEvent(key, row.memberId),
      at: createdAt,
      about: row.domain ?? row.invitedAddress ?? row.memberName,
      // The names of operators are none of the members' business.
      actor: isOperatorEvent({ key }) ? null : row.actorName,
      isByOperator: isOperatorEvent({ key }),
    }))
    const body = (
      <OrganizationActivity
        entries={entries}
        older={last ? formatCursor(last) : null}
        isFirst={before === null}
      />
    )
    return { title: 'activity', about: organization.name, signedIn, body }
  },
}
