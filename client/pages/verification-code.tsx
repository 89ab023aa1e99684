import { useT } from '../boot.tsx'
import { StepFrame } from '../frame.tsx'

export function VerificationCodePage() {
  const t = useT()
  return <StepFrame title={t('action.enter_passcode')}>{null}</StepFrame>
}
