import { CHANGE_PASSWORD_STATE } from '../../src/contract/product.ts'
import { useHere, useT } from '../app/boot.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'

/** Where those stay who did not want to sign out, and where a change of password ends that no application asked for. */
export default function LogoutDeclinedPage() {
  const t = useT()
  const { search } = useHere()
  const isNew = new URLSearchParams(search).get('state') === CHANGE_PASSWORD_STATE
  return (
    <EmptyFrame
      title={t(isNew ? 'vestibule.consent_title' : 'vestibule.still_signed_in_title')}
      messages={[t('vestibule.still_signed_in_message')]}
    />
  )
}
