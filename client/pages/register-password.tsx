import { useHere, useT } from '../boot.tsx'
import { StepFrame } from '../frame.tsx'
import { registerPasswordJourneys } from '../journeys/register.ts'
import { NewPasswordForm } from '../new-password-form.tsx'
import { withLink } from '../rich-text.tsx'

export function RegisterPasswordPage() {
  const t = useT()
  const { step } = useHere()
  return (
    <StepFrame
      title={t('description.set_password')}
      description={withLink(
        t('vestibule.set_password_for'),
        <bdi className="strong">{step?.identifier?.value}</bdi>,
      )}
    >
      <NewPasswordForm journeys={registerPasswordJourneys} />
    </StepFrame>
  )
}
