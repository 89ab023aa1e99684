import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'
import { useTexts } from './account-view.tsx'
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
  what: AccountPhraseKey
  at: number
  /** The user's device, or null if an operator performed the action. */
  device: { browser: string | null; system: string | null } | null
  country: string | null
  city: string | null
  application: string | null
}

/** Lists recent account activity, with links to newer and older entries (spec/account-centre#activity). */
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
  const nameOf = useDeviceFormatter()
  const placeOf = useLocationFormatter()
  return (
    <>
      <Heading title={t('activity')} lead={t('activity_lead')} />
      <ActionLink to="/account/not-me">{t('not_me')}</ActionLink>
      {entries.length === 0 ? (
        <p className="account-quiet">{t('no_activity')}</p>
      ) : (
        <ul className="account-list">
          {entries.map(({ id, what, at, device, application, ...place }) => (
            <li className="account-card" key={id}>
              <h2>{t(what)}</h2>
              <DetailList>
                <TimeDetail name={t('when')} at={at} />
                <Detail name={t('browser')}>{device && nameOf(device)}</Detail>
                <Detail name={t('place')}>{placeOf(place)}</Detail>
                <Detail name={t('application')}>{application && <bdi>{application}</bdi>}</Detail>
              </DetailList>
            </li>
          ))}
        </ul>
      )}
      {(older || !isFirst) && (
        <p className="account-pager">
          {!isFirst && <ActionLink to="/account/activity">{t('newest')}</ActionLink>}
          {older && (
            <a className="account-action" href={`/account/activity?before=${older}`}>
              {t('older')}
            </a>
          )}
        </p>
      )}
    </>
  )
}
