import { useBoot, useT } from '../context/boot.tsx'
import { IdentifierForm } from '../forms/identifier-form.tsx'
import { resetAddressTypes, validateResetAddress } from '../journeys/forgot-password.ts'
import { identifierNames } from '../journeys/identifier-names.ts'
import { StepFrame } from '../layout/frame.tsx'
import type { PageFields } from '../reactions/reactions.ts'

export const fields: PageFields = () => ({ send: ['identifier'] })

/**
 * Asks for the address with which to reset the password. An address from the previous page is prefilled
 * (spec/pages#forgot-password).
 */
export default function ForgotPasswordPage() {
  const t = useT()
  const accepted = resetAddressTypes(useBoot())
  const types = accepted.map((type) => t(identifierNames[type]))
  return (
    <StepFrame
      title={t('description.reset_password')}
      description={t('description.reset_password_description', { types })}
    >
      <IdentifierForm accepted={accepted} validate={validateResetAddress} />
    </StepFrame>
  )
}
