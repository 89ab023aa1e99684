import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'
import type { ActivityKind } from '../../src/domain/account/account-activity.ts'
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
import { useTexts } from './account-view.tsx'
import { Days, TimeOfDay } from './days.tsx'
import { DisclosureRow } from './disclosure-row.tsx'
import { Dotted } from './dotted.tsx'
import {
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
  TimeDetail,
  useDeviceFormatter,
  useLocationFormatter,
} from './parts.tsx'

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
