import { useBoot } from '../context/boot.tsx'
import { getConnectorName } from '../context/connector-name.ts'
import { useTexts } from './account-view.tsx'
import { Heading } from './parts.tsx'

/**
 * The page to which a provider returns with its response in the URL fragment. The page's script forwards the fragment
 * to the server (spec/account-centre#identities).
 */
export function ProviderReturn({ connectorId }: { connectorId: string }) {
  const t = useTexts()
  const name = getConnectorName(useBoot(), connectorId)
  return (
    <>
      <Heading title={t('identities')} lead={name} />
      <noscript>
        <p>{t('vestibule.factor_use_script')}</p>
      </noscript>
      <p data-answer={encodeURIComponent(connectorId)}>
        <a className="link" href="/account/identities">
          {t('action.nav_back')}
        </a>
      </p>
    </>
  )
}
