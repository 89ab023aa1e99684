import { useHere, useT } from '../app/boot.tsx'
import { NewPasswordForm } from '../forms/new-password-form.tsx'
import { shownPhone } from '../forms/phones.ts'
import { StepFrame } from '../layout/frame.tsx'
import { withLink } from '../ui/rich-text.tsx'

/** For a user who has proved an address of the account (spec/pages#reset-password). */
export default function ForgotPasswordResetPage() {
  const t = useT()
  const known = useHere().navigation?.identifier
  const name = known?.type === 'phone' ? shownPhone(known.value) : known?.value
  return (
    <StepFrame
      title={t('description.new_password')}
      description={name && withLink(t('vestibule.set_password_for'), <bdi className="strong">{name}</bdi>)}
    >
      <NewPasswordForm />
    </StepFrame>
  )
}
