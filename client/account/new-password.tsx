import { keptRules } from '../../src/domain/passwords/password-policy.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { PasswordRules } from '../forms/password-rules.tsx'
import { UsernameHint } from '../forms/username-hint.tsx'
import { confirmsPassword, rulesOf } from '../journeys/new-password-problems.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { type AccountView, useTexts } from './account-view.tsx'
import { Heading } from './parts.tsx'

/** A new password, typed twice where a forgotten one cannot be reset, as on the sign-in pages (spec/pages#password-fields). */
export function NewPassword({
  account,
  problem,
}: {
  account: string | null
  problem: AccountView['problem']
}) {
  const boot = useBoot()
  const t = useTexts()
  const said = useT()
  const problemOf = (name: string) => (problem?.field === name ? problem.message : undefined)
  const secret = { type: 'password', autoComplete: 'new-password', required: true } as const
  return (
    <>
      <Heading title={said('input.password')} lead={t('password_hint')} />
      <form method="post" className="account-card account-form">
        {account !== null && <UsernameHint value={account} />}
        <Field
          {...secret}
          name="newPassword"
          label={said('description.new_password')}
          hint={<PasswordRules kept={keptRules('', rulesOf(boot.experience))} />}
          problem={problemOf('newPassword')}
        />
        {confirmsPassword(boot) && (
          <Field
            {...secret}
            name="confirmPassword"
            label={said('input.confirm_password')}
            problem={problemOf('confirmPassword')}
          />
        )}
        <Button name="intent" value="change">
          {said('action.save_password')}
        </Button>
      </form>
    </>
  )
}
