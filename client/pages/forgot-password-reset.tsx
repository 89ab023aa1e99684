import { useHere, useT } from '../context/boot.tsx'
import { IdentityChip } from '../forms/identity-chip.tsx'
import { NewPasswordForm } from '../forms/new-password-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import '../styles/chip.css'
import '../styles/password-rules.css'

/** For a user who has proved an address of the account (spec/pages#reset-password). */
export default function ForgotPasswordResetPage() {
  const t = useT()
  const known = useHere().navigation?.identifier
  return (
    <StepFrame
      title={t('description.new_password')}
      description={known && <IdentityChip identifier={known} sentence={t('vestibule.set_password_for')} />}
    >
      <NewPasswordForm />
    </StepFrame>
  )
}
