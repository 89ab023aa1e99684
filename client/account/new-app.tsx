import { CodeField } from '../codes/code-field.tsx'
import { QrCode } from '../factors/qr.tsx'
import { Button } from '../ui/button.tsx'
import { useProblem, useTexts } from './account-view.tsx'
import { Heading } from './parts.tsx'

type Invitation = { secret: string; address: string; enrolment: string }

/**
 * Sets up an authenticator app: shows its secret as a QR code and as text, and asks for a code to confirm the
 * setup (spec/account-centre#authenticator-app).
 */
export function AuthenticatorAppSetup({
  invitation: { secret, address, enrolment },
}: {
  invitation: Invitation
}) {
  const t = useTexts()
  return (
    <>
      <Heading title={t('vestibule.factor_setup')} lead={t('vestibule.factor_scan')} />
      <form method="post" className="account-card account-form">
        <QrCode text={address} label={t('vestibule.factor_qr')} />
        <p className="account-quiet">{t('vestibule.factor_key')}</p>
        <code className="factor-text" dir="ltr">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </code>
        <input type="hidden" name="enrolment" value={enrolment} />
        <CodeField name="totpCode" problem={useProblem('totpCode')} />
        <Button name="intent" value="enrol">
          {t('action.continue')}
        </Button>
      </form>
    </>
  )
}
