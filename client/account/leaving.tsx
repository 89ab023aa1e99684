import { useBoot } from '../context/boot.tsx'
import { getConnectorName } from '../context/connector-name.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Spinner } from '../ui/loading.tsx'
import { useTexts } from './account-view.tsx'

/**
 * A page that redirects the browser to a provider. The content security policy does not let a form submission redirect
 * there (spec/pages#csp).
 */
export function ProviderRedirect({ connectorId, uri }: { connectorId: string; uri: string }) {
  const t = useTexts()
  const name = getConnectorName(useBoot(), connectorId)
  return (
    <div className="content content-passing">
      <Spinner />
      <h1 className="title">{t('vestibule.social_leaving', { name })}</h1>
      <p className="passing-link">
        <ButtonLink kind="quiet" href={uri}>
          {t('action.continue')}
        </ButtonLink>
      </p>
    </div>
  )
}
