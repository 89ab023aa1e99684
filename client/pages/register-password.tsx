import { useHere, useT } from '../app/boot.tsx'
import { NewPasswordForm } from '../forms/new-password-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { withLink } from '../ui/rich-text.tsx'

export default function RegisterPasswordPage() {
  const t = useT()
  const { navigation } = useHere()
  return (
    <StepFrame
      title={t('description.set_password')}
      description={withLink(
        t('vestibule.set_password_for'),
        <bdi className="strong">{navigation?.identifier?.value}</bdi>,
      )}
    >
      <NewPasswordForm />
    </StepFrame>
  )
}
