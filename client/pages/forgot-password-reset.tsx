import { useT } from '../boot.tsx'
import { StepFrame } from '../frame.tsx'

export function ForgotPasswordResetPage() {
  const t = useT()
  return <StepFrame title={t('description.new_password')}>{null}</StepFrame>
}
