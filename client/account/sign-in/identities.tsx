import { useBoot } from '../../context/boot.tsx'
import { getConnectorName } from '../../context/connector-name.ts'
import { SocialLogo } from '../../social/social-logo.tsx'
import { useCanEdit, useLinkWithQuery, useTexts } from '../account-view.tsx'
import { EmptyList } from '../empty-list.tsx'
import { LinkIcon } from '../icons.tsx'
import { ActionForm, Heading } from '../parts.tsx'
import { Row, Rows } from '../rows.tsx'

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
  const connectorOf = (target: string) => socialConnectors.find((each) => each.target === target)
  const isLinked = (target: string) => identities.some((identity) => identity.target === target)
  // Native connectors work only in apps, not in browsers.
  const offered = socialConnectors.filter(
    ({ target, platform }) => platform !== 'Native' && !isLinked(target),
  )
  return (
    <>
      <Heading title={t('identities')} lead={t('identities_lead')} />
      {identities.length === 0 ? (
        <EmptyList icon={<LinkIcon />} text={t('no_identities')} />
      ) : (
        <Rows>
          {identities.map(({ target, name }) => {
            const connector = connectorOf(target)
            return (
              <Row
                key={target}
                icon={connector ? <SocialLogo {...connector} /> : <LinkIcon />}
                title={
                  <bdi id={`identity-${target}`}>
                    {connector ? getConnectorName(boot, connector.id) : target}
                  </bdi>
                }
                value={<bdi>{name}</bdi>}
                end={
                  mayChange && (
                    <ActionForm action={action} intent="unlink" id={target} about={`identity-${target}`}>
                      {t('unlink')}
                    </ActionForm>
                  )
                }
              />
            )
          })}
        </Rows>
      )}
      {mayChange && offered.length > 0 && (
        <Rows title={t('link_more')}>
          {offered.map((connector) => (
            <Row
              key={connector.id}
              icon={<SocialLogo {...connector} />}
              title={<bdi id={`offer-${connector.id}`}>{getConnectorName(boot, connector.id)}</bdi>}
              end={
                <ActionForm action={action} intent="link" id={connector.id} about={`offer-${connector.id}`}>
                  {t('link')}
                </ActionForm>
              }
            />
          ))}
        </Rows>
      )}
    </>
  )
}
