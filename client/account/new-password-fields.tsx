import { checkPasswordRules } from '../../src/domain/passwords/password-policy.ts'
import { useBoot } from '../context/boot.tsx'
import { PasswordRules } from '../forms/password-rules.tsx'
import { getPasswordRules, isPasswordTypedTwice } from '../journeys/new-password-problems.ts'
import { useTexts } from './account-view.tsx'
import { Input } from './parts.tsx'

/**
 * Asks for a new password. It must be typed twice if forgotten passwords cannot be reset, as on the sign-in pages
 * (spec/pages#password-fields).
 */
export function NewPasswordFields({ label }: { label: string }) {
  const boot = useBoot()
  const t = useTexts()
  const secret = { type: 'password', autoComplete: 'new-password', required: true } as const
  return (
    <>
      <Input
        {...secret}
        name="newPassword"
        label={label}
        hint={<PasswordRules met={checkPasswordRules('', getPasswordRules(boot.experience))} />}
      />
      {isPasswordTypedTwice(boot) && (
        <Input {...secret} name="confirmPassword" label={t('input.confirm_password')} />
      )}
    </>
  )
}
