import { ConsentList } from '../pages/consent-list.tsx'
import { useCanEdit, useTexts } from './account-view.tsx'
import { ActionForm, DetailList, Heading, TimeDetail } from './parts.tsx'

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
 * Lists the applications that may act on the user's behalf, in the wording of the consent page
 * (spec/account-centre#applications).
 */
export function Applications({ consents }: { consents: readonly Consent[] }) {
  const t = useTexts()
  const mayWithdraw = useCanEdit('applications')
  if (consents.length === 0) return <Heading title={t('applications')} lead={t('no_applications')} />
  return (
    <>
      <Heading title={t('applications')} lead={t('applications_lead')} />
      <ul className="account-list">
        {consents.map(
          ({ application: { id, name }, unregistered, scopes, claims, resources, grantedAt, lastUsedAt }) => (
            <li className="account-card" key={id}>
              <h2 id={`application-${id}`}>
                <bdi>{name}</bdi>
              </h2>
              {unregistered && <Unregistered {...unregistered} />}
              <DetailList>
                <TimeDetail name={t('granted_at')} at={grantedAt} />
                <TimeDetail name={t('last_used_at')} at={lastUsedAt} />
              </DetailList>
              <ConsentList scopes={scopes} claims={claims} resources={resources.map(describeResource)} />
              {mayWithdraw && (
                <ActionForm intent="withdraw" id={id} about={`application-${id}`}>
                  {t('withdraw')}
                </ActionForm>
              )}
            </li>
          ),
        )}
      </ul>
    </>
  )
}

/** An unregistered client, shown with the details that it had when the user gave consent. */
const Unregistered = ({ host, logo }: { host: string; logo: string | null }) => (
  <p>
    {logo && <img src={logo} alt="" width={24} height={24} />} <bdi dir="ltr">{host}</bdi>
  </p>
)

/**
 * Returns a label for a resource. A resource that has since been deleted has no name, so its indicator is shown
 * instead.
 */
const describeResource = ({ indicator, name, scopes }: Consent['resources'][number]) => ({
  indicator,
  name: name ?? indicator,
  scopes: scopes.map((scope) => ({ name: scope, description: null })),
})
