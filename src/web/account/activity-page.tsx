import { Activity } from '../../../client/account/activity.tsx'
import { UnrecognizedActivity } from '../../../client/account/not-me.tsx'
import type { AccountPhraseKey } from '../../contract/account/account-catalogue.ts'
import { DAY } from '../../contract/time.ts'
import {
  type ActivityKind,
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

const texts = {
  signIn: 'did_sign_in',
  failedSignIn: 'did_fail',
  registration: 'did_register',
  passwordReset: 'did_reset',
  password: 'did_change_password',
  profile: 'did_change_profile',
  email: 'did_change_email',
  phone: 'did_change_phone',
  factor: 'did_change_factor',
  passkey: 'did_change_passkey',
  identity: 'did_change_identity',
  session: 'did_end_session',
  browser: 'did_forget_browser',
  accessGiven: 'did_give_access',
  accessWithdrawn: 'did_withdraw_access',
  operator: 'did_operator',
  download: 'did_download',
  deletion: 'did_ask_deletion',
  deletionCancelled: 'did_cancel_deletion',
  other: 'did_change',
} as const satisfies Record<ActivityKind, AccountPhraseKey>

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
        what: texts[classifyActivity({ key, result: payload.result })],
        at: createdAt,
        application,
        device: isOwn ? parseUserAgent(nonEmptyText(payload.userAgent)) : null,
        country: isOwn ? nonEmptyText(payload.country) : null,
        city: isOwn ? nonEmptyText(payload.city) : null,
      }
    })
    const older = last ? formatCursor(last) : null
    const body = <Activity entries={entries} older={older} isFirst={before === null} />
    return { title: 'activity', user: signedIn.user, body }
  },
}

/** The text that explains what users can do about activity that they do not recognize. */
export const unrecognizedActivityPage: AccountPage = {
  actions: {},
  async show({ readUser }) {
    const { user } = await readUser()
    return { title: 'not_me', user, body: <UnrecognizedActivity /> }
  },
}
