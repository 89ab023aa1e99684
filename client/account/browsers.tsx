import { useCanEdit, useTexts } from './account-view.tsx'
import { ActionForm, DetailList, Heading, TimeDetail, useDeviceFormatter } from './parts.tsx'

type ListedBrowser = {
  id: string
  browser: string | null
  system: string | null
  createdAt: number
  lastSeenAt: number
  /** The time until which the browser is remembered, or null if the user has to enter a second factor. */
  rememberedUntil: number | null
}

/** Lists the browsers in which the user has signed in (spec/account-centre#browsers). */
export function Browsers({ browsers }: { browsers: readonly ListedBrowser[] }) {
  const t = useTexts()
  const nameOf = useDeviceFormatter()
  const mayChange = useCanEdit('factors')
  if (browsers.length === 0) return <Heading title={t('browsers')} lead={t('no_browsers')} />
  return (
    <>
      <Heading title={t('browsers')} lead={t('browsers_lead')} />
      <ul className="account-list">
        {browsers.map((browser) => {
          const heading = `browser-${browser.id}`
          return (
            <li className="account-card" key={browser.id}>
              <h2 id={heading}>{nameOf(browser)}</h2>
              <DetailList>
                <TimeDetail name={t('signed_in_at')} at={browser.lastSeenAt} />
                <TimeDetail name={t('remembered_until')} at={browser.rememberedUntil} />
              </DetailList>
              {mayChange && (
                <ActionForm intent="forget" id={browser.id} about={heading}>
                  {t('forget')}
                </ActionForm>
              )}
            </li>
          )
        })}
      </ul>
      {mayChange && browsers.length > 1 && <ActionForm intent="forgetAll">{t('forget_all')}</ActionForm>}
    </>
  )
}
