import type { ReactNode } from 'react'
import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'
import type { ActivityKind } from '../../src/domain/account/account-activity.ts'
import { toStandardTag } from '../../src/domain/experience/standard-tag.ts'
import { countDaysBetween } from '../../src/domain/relative-time.ts'
import { useBoot } from '../context/boot.tsx'
import {
  AlertIcon,
  BackIcon,
  DeviceIcon,
  EnvelopeIcon,
  PasskeyIcon,
  PersonIcon,
  PhoneIcon,
  ShieldIcon,
} from '../ui/icons.tsx'
import { useTexts, useView } from './account-view.tsx'
import { DisclosureRow } from './disclosure-row.tsx'
import { Dotted } from './dotted.tsx'
import { EmptyList } from './empty-list.tsx'
import {
  ActivityIcon,
  AppsIcon,
  BrowserIcon,
  DownloadIcon,
  LinkIcon,
  LockIcon,
  OrganizationsIcon,
  StepsIcon,
  TrashIcon,
} from './icons.tsx'
import {
  ActionLink,
  Detail,
  DetailList,
  Heading,
  Pager,
  TimeDetail,
  useDeviceFormatter,
  useLocationFormatter,
} from './parts.tsx'
import { Rows } from './rows.tsx'

export type ActivityEntry = {
  id: string
  kind: ActivityKind
  at: number
  /** The user's device, or null if an operator performed the action. */
  device: { browser: string | null; system: string | null } | null
  country: string | null
  city: string | null
  application: string | null
}

const kinds = {
  signIn: { text: 'did_sign_in', icon: PersonIcon },
  failedSignIn: { text: 'did_fail', icon: AlertIcon },
  registration: { text: 'did_register', icon: PersonIcon },
  passwordReset: { text: 'did_reset', icon: LockIcon },
  password: { text: 'did_change_password', icon: LockIcon },
  profile: { text: 'did_change_profile', icon: PersonIcon },
  email: { text: 'did_change_email', icon: EnvelopeIcon },
  phone: { text: 'did_change_phone', icon: PhoneIcon },
  factor: { text: 'did_change_factor', icon: StepsIcon },
  passkey: { text: 'did_change_passkey', icon: PasskeyIcon },
  identity: { text: 'did_change_identity', icon: LinkIcon },
  session: { text: 'did_end_session', icon: DeviceIcon },
  browser: { text: 'did_forget_browser', icon: BrowserIcon },
  accessGiven: { text: 'did_give_access', icon: AppsIcon },
  accessWithdrawn: { text: 'did_withdraw_access', icon: AppsIcon },
  operator: { text: 'did_operator', icon: ShieldIcon },
  download: { text: 'did_download', icon: DownloadIcon },
  deletion: { text: 'did_ask_deletion', icon: TrashIcon },
  deletionCancelled: { text: 'did_cancel_deletion', icon: BackIcon },
  organization: { text: 'did_change_organization', icon: OrganizationsIcon },
  other: { text: 'did_change', icon: PersonIcon },
} as const satisfies Record<ActivityKind, { text: AccountPhraseKey; icon: typeof PersonIcon }>

/** Lists recent account activity by day, with links to newer and older entries (spec/account-centre#activity). */
export function Activity({
  entries,
  older,
  isFirst,
}: {
  entries: readonly ActivityEntry[]
  older: string | null
  isFirst: boolean
}) {
  const t = useTexts()
  return (
    <>
      <Heading title={t('activity')} lead={t('activity_lead')} />
      <div className="account-notice">
        <ShieldIcon />
        <p>{t('not_me_question')}</p>
        <ActionLink to="/account/not-me">{t('not_me')}</ActionLink>
      </div>
      <Days entries={entries} older={older} isFirst={isFirst}>
        {(entry) => <Entry key={entry.id} entry={entry} />}
      </Days>
    </>
  )
}

/** Entries by day, with links to newer and older ones. */
export function Days<E extends { at: number }>({
  entries,
  older,
  isFirst,
  children,
}: {
  entries: readonly E[]
  /** The cursor of the next page, or null on the last one. */
  older: string | null
  isFirst: boolean
  children: (entry: E) => ReactNode
}) {
  const t = useTexts()
  const { now, timeZone } = useView()
  const nameOf = useDayFormatter()
  const days = new Map<number, E[]>()
  for (const entry of entries) {
    // Clocks differ a little, so an entry may be from tomorrow.
    const age = Math.max(0, countDaysBetween(entry.at, now, timeZone))
    days.set(age, [...(days.get(age) ?? []), entry])
  }
  return (
    <>
      {entries.length === 0 && <EmptyList icon={<ActivityIcon />} text={t('no_activity')} />}
      {[...days].map(([age, ofDay]) => (
        <Rows key={age} title={nameOf(age, ofDay[0]?.at ?? now)}>
          {ofDay.map(children)}
        </Rows>
      ))}
      <Pager older={older} isFirst={isFirst} />
    </>
  )
}

function Entry({ entry }: { entry: ActivityEntry }) {
  const t = useTexts()
  const deviceOf = useDeviceFormatter()
  const placeOf = useLocationFormatter()
  const { kind, at, device, application } = entry
  const { text, icon: KindIcon } = kinds[kind]
  return (
    <DisclosureRow
      isAlert={kind === 'failedSignIn'}
      icon={<KindIcon />}
      title={t(text)}
      value={
        (device || placeOf(entry)) && (
          <Dotted>
            {device && deviceOf(device)}
            {placeOf(entry)}
          </Dotted>
        )
      }
      end={<TimeOfDay at={at} />}
    >
      <DetailList>
        <TimeDetail name={t('when')} at={at} />
        <Detail name={t('browser')}>{device && deviceOf(device)}</Detail>
        <Detail name={t('place')}>{placeOf(entry)}</Detail>
        <Detail name={t('application')}>{application && <bdi>{application}</bdi>}</Detail>
      </DetailList>
      <ActionLink to="/account/not-me">{t('not_me')}</ActionLink>
    </DisclosureRow>
  )
}

export function TimeOfDay({ at }: { at: number }) {
  const { language } = useBoot()
  const { timeZone } = useView()
  const format = new Intl.DateTimeFormat(toStandardTag(language), {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
    ...(timeZone === null && { timeZoneName: 'short' }),
  })
  return (
    <time className="account-time" dateTime={new Date(at).toISOString()}>
      {format.format(at)}
    </time>
  )
}

/** Returns a function that names a day by its age in days and a time on it: “Today”, “Yesterday” or a date. */
function useDayFormatter() {
  const { language } = useBoot()
  const { now, timeZone } = useView()
  const tag = toStandardTag(language)
  const zone = { timeZone: timeZone ?? 'UTC' }
  const yearOf = new Intl.DateTimeFormat('en', { ...zone, year: 'numeric' })
  return (age: number, at: number): string => {
    if (age <= 1)
      return capitalize(new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(-age, 'day'), tag)
    const isThisYear = yearOf.format(at) === yearOf.format(now)
    const date = { weekday: 'long', month: 'long', day: 'numeric' } as const
    const format = new Intl.DateTimeFormat(tag, { ...zone, ...date, ...(!isThisYear && { year: 'numeric' }) })
    return capitalize(format.format(at), tag)
  }
}

/** Begins a heading with a capital letter, in languages that have them. */
function capitalize(text: string, tag: string): string {
  const [first = '', ...rest] = text
  return first.toLocaleUpperCase(tag) + rest.join('')
}
