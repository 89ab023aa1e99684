import { useHere, useT } from '../boot.tsx'
import { StepFrame } from '../frame.tsx'
import { resetPasswordJourneys } from '../journeys/forgot-password.ts'
import { NewPasswordForm } from '../new-password-form.tsx'
import { shownPhone } from '../phones.ts'
import { withLink } from '../rich-text.tsx'

/** For whoever has proved that the account is theirs. */
export function ForgotPasswordResetPage() {
  const t = useT()
  const known = useHere().step?.identifier
  const name = known?.type === 'phone' ? shownPhone(known.value) : known?.value
  return (
    <StepFrame
      title={t('description.new_password')}
      description={name && withLink(t('vestibule.set_password_for'), <bdi className="strong">{name}</bdi>)}
    >
      <NewPasswordForm journeys={resetPasswordJourneys} />
    </StepFrame>
  )
}
