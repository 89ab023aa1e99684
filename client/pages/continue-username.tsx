import { useT } from '../boot.tsx'
import { StepFrame } from '../frame.tsx'

export function ContinueUsernamePage() {
  const t = useT()
  return <StepFrame title={t('description.enter_username')}>{null}</StepFrame>
}
