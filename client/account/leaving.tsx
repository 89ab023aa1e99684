import { useBoot } from '../context/boot.tsx'
import { connectorName } from '../context/connector-name.ts'
import { useTexts } from './account-view.tsx'
import { ActionLink, Heading } from './parts.tsx'

/** A page that sends the browser to a provider. A form must not redirect there (spec/pages#csp), so the page does. */
export function ProviderRedirect({ connectorId, uri }: { connectorId: string; uri: string }) {
  const t = useTexts()
  const name = connectorName(useBoot(), connectorId)
  return (
    <>
      <Heading title={t('vestibule.social_leaving', { name })} />
      <p>
        <ActionLink to={uri}>{t('action.sign_in_with', { name })}</ActionLink>
      </p>
    </>
  )
}
