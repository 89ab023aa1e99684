import { ConsentList, initialOf } from '../pages/consent-list.tsx'
import { useCanEdit, useTexts, useView } from './account-view.tsx'
import { DisclosureRow } from './disclosure-row.tsx'
import { Dotted, Since } from './dotted.tsx'
import { EmptyList } from './empty-list.tsx'
import { AppsIcon } from './icons.tsx'
import { ActionForm, FormattedDate, Heading } from './parts.tsx'
import { Rows } from './rows.tsx'

type Consent = {
  application: { id: string; name: string }
  unregistered: { host: string; logo: string | null } | null
  scopes: readonly string[]
  claims: readonly string[]
  resources: readonly { indicator: string; name: string | null; scopes: readonly string[] }[]
  grantedAt: number
  lastUsedAt: number | null
}

/**
 * Lists the applications that may act on the user's behalf. A row opens to show what the application can do, in the
 * wording of the consent page, and to remove its access (spec/account-centre#applications).
 */
export function Applications({ consents }: { consents: readonly Consent[] }) {
  const t = useTexts()
  const { typed } = useView()
  const mayWithdraw = useCanEdit('applications')
  return (
    <>
      <Heading title={t('applications')} lead={t('applications_lead')} />
      {consents.length === 0 ? (
        <EmptyList icon={<AppsIcon />} text={t('no_applications')} />
      ) : (
        <Rows>
          {consents.map(({ application: { id, name }, unregistered, ...consent }) => (
            <DisclosureRow
              key={id}
              isOpen={consents.length === 1 || typed.id === id}
              icon={<Logo name={name} logo={unregistered?.logo ?? null} />}
              title={<bdi id={`application-${id}`}>{name}</bdi>}
              value={
                <Dotted>
                  {unregistered && <bdi dir="ltr">{unregistered.host}</bdi>}
                  <span>
                    {t('granted_at')} <FormattedDate at={consent.grantedAt} />
                  </span>
                  {consent.lastUsedAt !== null && (
                    <Since phrase={t('last_used_at')} at={consent.lastUsedAt} />
                  )}
                </Dotted>
              }
            >
              <ConsentList
                scopes={consent.scopes}
                claims={consent.claims}
                resources={consent.resources.map(describeResource)}
              />
              {mayWithdraw && (
                <ActionForm intent="withdraw" id={id} about={`application-${id}`}>
                  {t('withdraw')}
                </ActionForm>
              )}
            </DisclosureRow>
          ))}
        </Rows>
      )}
    </>
  )
}

/** The logo that an unregistered client had when the user gave consent, or else the initial of the name. */
const Logo = ({ name, logo }: { name: string; logo: string | null }) =>
  logo ? <img src={logo} alt="" width={24} height={24} /> : <span aria-hidden="true">{initialOf(name)}</span>

/**
 * Returns a label for a resource. A resource that has since been deleted has no name, so its indicator is shown
 * instead.
 */
const describeResource = ({ indicator, name, scopes }: Consent['resources'][number]) => ({
  indicator,
  name: name ?? indicator,
  scopes: scopes.map((scope) => ({ name: scope, description: null })),
})
