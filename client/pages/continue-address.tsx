import { useT } from '../boot.tsx'
import { StepFrame } from '../frame.tsx'

export function ContinueAddressPage() {
  const t = useT()
  return <StepFrame title={t('description.link_email')}>{null}</StepFrame>
}
