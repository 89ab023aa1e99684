import { useBoot } from '../context/boot.tsx'
import { getConnectorName } from '../context/connector-name.ts'
import { ButtonLink } from '../ui/button.tsx'
import { useTexts } from './account-view.tsx'

/**
 * The page to which a provider returns with its response in the URL fragment. The page's script forwards the fragment
 * to the server (spec/account-centre#identities).
 */
export function ProviderReturn({ connectorId }: { connectorId: string }) {
  const t = useTexts()
  const name = getConnectorName(useBoot(), connectorId)
  return (
    <div className="content content-passing">
      <h1 className="title">{t('identities')}</h1>
      <p className="description">{name}</p>
      <noscript>
        <p className="description">{t('vestibule.factor_use_script')}</p>
      </noscript>
      <p className="passing-link" data-answer={encodeURIComponent(connectorId)}>
        <ButtonLink kind="quiet" href="/account/identities">
          {t('action.nav_back')}
        </ButtonLink>
      </p>
    </div>
  )
}
