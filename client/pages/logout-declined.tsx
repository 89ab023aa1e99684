import { useCurrentPage, useT } from '../context/boot.tsx'
import { isPasswordChange } from '../context/paths.ts'
import { AccountButton } from '../layout/account-button.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import '../styles/endings.css'

/**
 * The page shown to users who chose to stay signed in, and after a password change that no application requested
 * (spec/pages#change-password).
 */
export default function LogoutDeclinedPage() {
  const t = useT()
  const { search } = useCurrentPage()
  return (
    <EmptyFrame
      kind="done"
      title={t(isPasswordChange(search) ? 'vestibule.consent_title' : 'vestibule.still_signed_in_title')}
      messages={[t('vestibule.still_signed_in_message')]}
    >
      <AccountButton />
    </EmptyFrame>
  )
}
