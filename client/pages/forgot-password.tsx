import { useT } from '../boot.tsx'
import { StepFrame } from '../frame.tsx'

export function ForgotPasswordPage() {
  const t = useT()
  return <StepFrame title={t('description.reset_password')}>{null}</StepFrame>
}
