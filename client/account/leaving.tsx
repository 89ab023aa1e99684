import { useBoot, useT } from '../context/boot.tsx'
import { connectorName } from '../context/connector-name.ts'
import { Heading } from './parts.tsx'

/** Before a provider: a form may not lead there by itself (spec/pages#csp), so that the page goes on. */
export function Leaving({ connectorId, uri }: { connectorId: string; uri: string }) {
  const said = useT()
  const name = connectorName(useBoot(), connectorId)
  return (
    <>
      <Heading title={said('vestibule.social_leaving', { name })} />
      <p>
        <a className="account-action" href={uri}>
          {said('action.sign_in_with', { name })}
        </a>
      </p>
    </>
  )
}
