import { useT } from '../boot.tsx'
import { StepFrame } from '../frame.tsx'

export function SignInPasswordPage() {
  const t = useT()
  return <StepFrame title={t('description.enter_password')}>{null}</StepFrame>
}
