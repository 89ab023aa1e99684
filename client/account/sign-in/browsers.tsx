import type { DeviceKind } from '../../../src/domain/user-agent.ts'
import { useCanEdit, useTexts } from '../account-view.tsx'
import { DeviceDrawing } from '../device-icon.tsx'
import { Dotted, Since } from '../dotted.tsx'
import { EmptyList } from '../empty-list.tsx'
import { ActionForm, FormattedDate, Heading, useDeviceFormatter } from '../parts.tsx'
import { Row, Rows } from '../rows.tsx'

type ListedBrowser = {
  id: string
  browser: string | null
  system: string | null
  kind: DeviceKind
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
  return (
    <>
      <Heading title={t('browsers')} lead={t('browsers_lead')} />
      {browsers.length === 0 ? (
        <EmptyList icon={<DeviceDrawing kind="computer" />} text={t('no_browsers')} />
      ) : (
        <Rows>
          {browsers.map(({ id, kind, lastSeenAt, rememberedUntil, ...browser }) => (
            <Row
              key={id}
              icon={<DeviceDrawing kind={kind} />}
              title={<bdi id={`browser-${id}`}>{nameOf(browser)}</bdi>}
              value={
                <Dotted>
                  <Since phrase={t('signed_in_since')} at={lastSeenAt} />
                  {rememberedUntil !== null && (
                    <>
                      {t('remembered_until')} <FormattedDate at={rememberedUntil} />
                    </>
                  )}
                </Dotted>
              }
              end={
                mayChange && (
                  <ActionForm intent="forget" id={id} about={`browser-${id}`}>
                    {t('forget')}
                  </ActionForm>
                )
              }
            />
          ))}
        </Rows>
      )}
      {mayChange && browsers.length > 1 && <ActionForm intent="forgetAll">{t('forget_all')}</ActionForm>}
    </>
  )
}
