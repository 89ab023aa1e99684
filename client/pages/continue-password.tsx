import { useT } from '../context/boot.tsx'
import { NewPasswordForm } from '../forms/new-password-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import '../styles/password-rules.css'

/** The password that an account lacks (spec/pages#continue). */
export default function ContinuePasswordPage() {
  const t = useT()
  return (
    <StepFrame
      title={t('description.set_password')}
      description={t('description.continue_with_more_information')}
    >
      <NewPasswordForm />
    </StepFrame>
  )
}
