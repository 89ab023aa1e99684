import { useBoot } from '../context/boot.tsx'
import { connectorName } from '../context/connector-name.ts'
import { useTexts } from './account-view.tsx'
import { ActionLink, Heading } from './parts.tsx'

/** Before a provider: a form may not lead there by itself (spec/pages#csp), so that the page goes on. */
export function Leaving({ connectorId, uri }: { connectorId: string; uri: string }) {
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
