import { toStandardTag } from '../../src/domain/experience/standard-tag.ts'
import type { DeviceKind } from '../../src/domain/user-agent.ts'
import { useBoot } from '../context/boot.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { useCanEdit, useTexts } from './account-view.tsx'
import { DeviceDrawing } from './device-icon.tsx'
import { Dotted, Since } from './dotted.tsx'
import { EmptyList } from './empty-list.tsx'
import { ActionForm, Heading, useDeviceFormatter, useLocationFormatter } from './parts.tsx'
import { RelativeTime } from './relative-time.tsx'
import { Row, Rows } from './rows.tsx'

type ListedSession = {
  id: string
  browser: string | null
  system: string | null
  kind: DeviceKind
  country: string | null
  city: string | null
  signedInAt: number
  lastSeenAt: number | null
  /** The names of the applications that use the session. */
  applications: readonly string[]
  isCurrent: boolean
}

/** An application in which the user is still signed in, although the session of that sign-in has ended. */
type ListedApp = { id: string; name: string; signedInAt: number }

/**
 * Lists where the user is signed in (spec/account-centre#sessions). To end the session of this browser, users
 * sign out.
 */
export function Sessions({
  sessions,
  apps,
}: {
  sessions: readonly ListedSession[]
  apps: readonly ListedApp[]
}) {
  const t = useTexts()
  const mayEnd = useCanEdit('sessions')
  const others = sessions.filter(({ isCurrent }) => !isCurrent)
  return (
    <>
      <Heading title={t('sessions')} lead={t('sessions_lead')} />
      <Rows>
        {sessions
          .filter(({ isCurrent }) => isCurrent)
          .map((session) => (
            <SessionRow session={session} mayEnd={false} key={session.id} />
          ))}
      </Rows>
      {others.length + apps.length === 0 ? (
        <EmptyList icon={<CheckIcon />} text={t('no_other_sessions')} />
      ) : (
        <section className="account-group">
          <div className="account-group-head">
            <h2>{t('other_sessions')}</h2>
            {mayEnd && <ActionForm intent="endOthers">{t('end_others')}</ActionForm>}
          </div>
          <Rows>
            {others.map((session) => (
              <SessionRow session={session} mayEnd={mayEnd} key={session.id} />
            ))}
            {apps.map(({ id, name, signedInAt }) => (
              <Row
                key={id}
                icon={<DeviceDrawing kind="other" />}
                title={<bdi>{name}</bdi>}
                value={<Since phrase={t('signed_in_since')} at={signedInAt} />}
              />
            ))}
          </Rows>
        </section>
      )}
    </>
  )
}

function SessionRow({ session, mayEnd }: { session: ListedSession; mayEnd: boolean }) {
  const t = useTexts()
  const nameOf = useDeviceFormatter()
  const placeOf = useLocationFormatter()
  const { language } = useBoot()
  const names = new Intl.ListFormat(toStandardTag(language), { type: 'unit' })
  const { id, kind, signedInAt, lastSeenAt, applications, isCurrent } = session
  const heading = `session-${id}`
  return (
    <Row
      icon={<DeviceDrawing kind={kind} />}
      title={
        <>
          <bdi id={heading}>{nameOf(session)}</bdi>{' '}
          {isCurrent && <span className="account-mark">{t('this_session')}</span>}
        </>
      }
      value={
        <>
          <Dotted>
            {placeOf(session)}
            {isCurrent ? t('active_now') : lastSeenAt !== null && <RelativeTime at={lastSeenAt} />}
          </Dotted>
          <span className="account-row-line">
            <Dotted>
              <Since phrase={t('signed_in_since')} at={signedInAt} />
              {applications.length > 0 && names.format(applications)}
            </Dotted>
          </span>
        </>
      }
      end={
        mayEnd && (
          <ActionForm intent="end" id={id} about={heading}>
            {t('end_session')}
          </ActionForm>
        )
      }
    />
  )
}
