import { useBoot } from '../context/boot.tsx'
import { getConnectorName } from '../context/connector-name.ts'
import { useCanEdit, useLinkWithQuery, useTexts } from './account-view.tsx'
import { ActionForm, Detail, DetailList, Heading } from './parts.tsx'

/**
 * Lists the accounts at other providers with which the user can sign in (spec/account-centre#identities). `target`
 * identifies the provider.
 */
export function Identities({ identities }: { identities: readonly { target: string; name: string }[] }) {
  const t = useTexts()
  const boot = useBoot()
  const mayChange = useCanEdit('identities')
  const action = useLinkWithQuery()('/account/identities')
  const { socialConnectors } = boot.experience
  const providerOf = (target: string) => {
    const connector = socialConnectors.find((each) => each.target === target)
    return connector ? getConnectorName(boot, connector.id) : target
  }
  const isLinked = (target: string) => identities.some((identity) => identity.target === target)
  // Native connectors work only in apps, not in browsers.
  const offered = socialConnectors.filter(
    ({ target, platform }) => platform !== 'Native' && !isLinked(target),
  )
  return (
    <>
      <Heading title={t('identities')} lead={t('identities_lead')} />
      {identities.length === 0 && <p className="account-card account-quiet">{t('no_identities')}</p>}
      <ul className="account-list">
        {identities.map(({ target, name }) => (
          <li className="account-card" key={target}>
            <h2 id={`identity-${target}`}>
              <bdi>{providerOf(target)}</bdi>
            </h2>
            <DetailList>
              <Detail name={t('name')}>
                <bdi>{name}</bdi>
              </Detail>
            </DetailList>
            {mayChange && (
              <ActionForm action={action} intent="unlink" id={target} about={`identity-${target}`}>
                {t('unlink')}
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <div className="account-actions">
          {offered.map(({ id }) => (
            <ActionForm action={action} intent="link" id={id} key={id}>
              {t('action.sign_in_with', { name: getConnectorName(boot, id) })}
            </ActionForm>
          ))}
        </div>
      )}
    </>
  )
}
