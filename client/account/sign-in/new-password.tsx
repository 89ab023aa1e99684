import { UsernameHint } from '../../forms/username-hint.tsx'
import { Button } from '../../ui/button.tsx'
import { useTexts } from '../account-view.tsx'
import { NewPasswordFields } from '../new-password-fields.tsx'
import { Heading } from '../parts.tsx'

export function NewPassword({ account }: { account: string | null }) {
  const t = useTexts()
  return (
    <>
      <Heading title={t('input.password')} lead={t('password_hint')} />
      <form method="post" className="account-card account-form profile-form">
        {account !== null && <UsernameHint value={account} />}
        <NewPasswordFields label={t('description.new_password')} />
        <Button name="intent" value="change">
          {t('action.save_password')}
        </Button>
      </form>
    </>
  )
}
