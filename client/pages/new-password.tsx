import { useCurrentPage, useT } from '../context/boot.tsx'
import { IdentityChip } from '../forms/identity-chip.tsx'
import { NewPasswordForm } from '../forms/new-password-form.tsx'
import { isPasswordTypedTwice } from '../journeys/new-password-problems.ts'
import { StepFrame } from '../layout/frame.tsx'
import type { PageFields } from '../reactions/reactions.ts'
import '../styles/chip.css'
import '../styles/password-rules.css'

export const fields: PageFields = (boot) => ({
  send: isPasswordTypedTwice(boot) ? ['newPassword', 'confirmPassword'] : ['newPassword'],
})

/**
 * Asks for a new password: for a new account (spec/pages#register-password), for an account that has none
 * (spec/pages#continue), or to replace a forgotten one (spec/pages#reset-password).
 */
export default function NewPasswordPage() {
  const t = useT()
  const { path, navigation } = useCurrentPage()
  const identifier = navigation?.identifier
  return (
    <StepFrame
      title={t(
        path === '/forgot-password/reset' ? 'vestibule.new_password_title' : 'description.set_password',
      )}
      description={
        path === '/continue/password'
          ? t('description.continue_with_more_information')
          : identifier && <IdentityChip identifier={identifier} sentence={t('vestibule.set_password_for')} />
      }
    >
      <NewPasswordForm />
    </StepFrame>
  )
}
