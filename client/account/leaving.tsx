import { useBoot } from '../context/boot.tsx'
import { getConnectorName } from '../context/connector-name.ts'
import { useTexts } from './account-view.tsx'
import { ActionLink, Heading } from './parts.tsx'

/**
 * A page that redirects the browser to a provider. The content security policy does not let a form submission redirect
 * there (spec/pages#csp).
 */
export function ProviderRedirect({ connectorId, uri }: { connectorId: string; uri: string }) {
  const t = useTexts()
  const name = getConnectorName(useBoot(), connectorId)
  return (
    <>
      <Heading title={t('vestibule.social_leaving', { name })} />
      <p>
        <ActionLink to={uri}>{t('action.sign_in_with', { name })}</ActionLink>
      </p>
    </>
  )
}
