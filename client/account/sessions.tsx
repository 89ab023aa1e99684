import { toStandardTag } from '../../src/domain/experience/standard-tag.ts'
import { useBoot } from '../context/boot.tsx'
import { useCanEdit, useTexts } from './account-view.tsx'
import {
  ActionForm,
  Detail,
  DetailList,
  Heading,
  TimeDetail,
  useDeviceFormatter,
  useLocationFormatter,
} from './parts.tsx'

type ListedSession = {
  id: string
  browser: string | null
  system: string | null
  country: string | null
  city: string | null
  signedInAt: number
  lastSeenAt: number | null
  /** The names of the applications that use the session. */
  applications: readonly string[]
  isCurrent: boolean
}

/**
 * Lists where the user is signed in (spec/account-centre#sessions). To end the session of this browser, users
 * sign out.
 */
export function Sessions({ sessions }: { sessions: readonly ListedSession[] }) {
  const t = useTexts()
  const nameOf = useDeviceFormatter()
  const placeOf = useLocationFormatter()
  const { language } = useBoot()
  const names = new Intl.ListFormat(toStandardTag(language), { type: 'unit' })
  const mayEnd = useCanEdit('sessions')
  const isAlone = sessions.every(({ isCurrent }) => isCurrent)
  const ordered = [...sessions].sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
  return (
    <>
      <Heading title={t('sessions')} lead={t('sessions_lead')} />
      <ul className="account-list">
        {ordered.map((session) => {
          const heading = `session-${session.id}`
          return (
            <li className="account-card" key={session.id}>
              <h2 id={heading}>
                <span>{nameOf(session)}</span>
                {session.isCurrent && <span className="account-mark">{t('this_session')}</span>}
              </h2>
              <DetailList>
                <TimeDetail name={t('signed_in_at')} at={session.signedInAt} />
                <TimeDetail name={t('last_seen_at')} at={session.lastSeenAt} />
                <Detail name={t('place')}>{placeOf(session)}</Detail>
                <Detail name={t('applications')}>
                  {session.applications.length === 0 ? null : names.format(session.applications)}
                </Detail>
              </DetailList>
              {mayEnd && !session.isCurrent && (
                <ActionForm intent="end" id={session.id} about={heading}>
                  {t('end_session')}
                </ActionForm>
              )}
            </li>
          )
        })}
      </ul>
      {mayEnd && !isAlone && <ActionForm intent="endOthers">{t('end_others')}</ActionForm>}
    </>
  )
}
