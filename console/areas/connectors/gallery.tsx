import { Link } from 'wouter'
import type { SentMessage } from '../../../src/contract/connectors/message-log.schema.ts'
import type { SignInExperience } from '../../../src/contract/experience/experience.ts'
import { retryFailed, useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Card, Loading, Page } from '../../ui/page.tsx'
import type { Connector, Factory } from './config.ts'
import { FailureText } from './failure.tsx'
import { failureTexts } from './failure-phrases.ts'
import { ProviderLogo, useConnectorName } from './mark.tsx'
import { texts } from './phrases.ts'

/** Short names of the types of connectors. A tile has no room for a sentence. */
const kinds = { Social: 'signIn', Email: 'Email', Sms: 'Sms' } as const

const types = ['Social', 'Email', 'Sms'] as const

/** Lists the installed connectors, and the ones that can be installed. */
export function Gallery() {
  const t = useT(texts)
  const mayWrite = useCan('connectors:write')
  const connectors = useApi<Connector[]>('/connectors')
  const factories = useApi<Factory[]>('/connector-factories')
  const targets = useTargets()
  const lastMessages = useApi<SentMessage[]>('/messages', { query: { latest: 'true' }, staleTime: 0 })
  if (!connectors.data || !factories.data)
    return (
      <Loading failure={connectors.error ?? factories.error} onRetry={retryFailed(connectors, factories)} />
    )
  const installed = connectors.data.data
  return (
    <Page title={t('connectors')} lead={t('lead')}>
      <Card title={t('installed')}>
        {installed.length === 0 && <p className="hint">{t('none')}</p>}
        <ul className="gallery installed">
          {installed.map((connector) => (
            <Installed
              key={connector.id}
              connector={connector}
              targets={targets}
              lastMessage={lastMessages.data?.data.find(
                ({ factoryId }) => factoryId === connector.connectorId,
              )}
            />
          ))}
        </ul>
      </Card>
      {mayWrite &&
        types.map((type) => (
          <Card key={type} title={t(type)} lead={type === 'Social' ? undefined : t('replaces')}>
            <ul className="gallery">
              {factories.data.data
                .filter((factory) => factory.type === type)
                .filter(
                  ({ id, isStandard }) => isStandard || installed.every((one) => one.connectorId !== id),
                )
                .map((factory) => (
                  <Available key={factory.id} factory={factory} />
                ))}
            </ul>
          </Card>
        ))}
    </Page>
  )
}

/**
 * Returns the targets for which the sign-in page has a button, or null if the administrator may not read them.
 */
function useTargets(): readonly string[] | null {
  const mayRead = useCan('experience:read')
  const { data } = useApi<SignInExperience>('/sign-in-exp', { isEnabled: mayRead })
  return data?.data.socialSignInConnectorTargets ?? null
}

type InstalledProps = {
  connector: Connector
  targets: readonly string[] | null
  /** The last message of this kind of connector. */
  lastMessage: SentMessage | undefined
}

function Installed({ connector, targets, lastMessage }: InstalledProps) {
  const t = useT(texts, failureTexts)
  const { time } = useFormats()
  const nameOf = useConnectorName()
  const { id, type, target, isDemo } = connector
  const isOffered = targets?.includes(target)
  const content = (
    <>
      <ProviderLogo {...connector} />
      <span className="gallery-name">
        {nameOf(connector)}
        <span className="hint">{t(kinds[type])}</span>
        {lastMessage?.result === 'Error' && (
          <span className="problem">
            {t('lastFailed', { time: time(lastMessage.createdAt) })} <FailureText failure={lastMessage} />
          </span>
        )}
      </span>
      {isDemo && <span className="tag">{t('demo')}</span>}
      {type === 'Social' && targets && (
        <span className={isOffered ? 'tag good' : 'tag'}>{t(isOffered ? 'shown' : 'notShown')}</span>
      )}
    </>
  )
  return <li>{isDemo ? <div>{content}</div> : <Link href={`/connectors/${id}`}>{content}</Link>}</li>
}

function Available({ factory }: { factory: Factory }) {
  const nameOf = useConnectorName()
  return (
    <li>
      <Link href={`/connectors/new/${factory.id}`}>
        <ProviderLogo {...factory} />
        <span className="gallery-name">{nameOf(factory)}</span>
      </Link>
    </li>
  )
}
