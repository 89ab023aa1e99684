import { useT } from '../boot.tsx'
import { StepFrame } from '../frame.tsx'

export function ContinuePasswordPage() {
  const t = useT()
  return <StepFrame title={t('description.set_password')}>{null}</StepFrame>
}
