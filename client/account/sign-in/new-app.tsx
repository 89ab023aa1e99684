import { CodeField } from '../../codes/code-field.tsx'
import { useBoot } from '../../context/boot.tsx'
import { EnrolmentSteps, NewAppSecret } from '../../factors/enrolment.tsx'
import { Button } from '../../ui/button.tsx'
import { useProblem, useTexts } from '../account-view.tsx'
import { Heading } from '../parts.tsx'

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
  const isPhone = useBoot().platform === 'mobile'
  return (
    <>
      <Heading title={t('vestibule.factor_setup')} lead={isPhone ? undefined : t('vestibule.factor_scan')} />
      <form method="post" className="account-card">
        <EnrolmentSteps current={0} />
        <input type="hidden" name="enrolment" value={enrolment} />
        <NewAppSecret secret={secret} address={address}>
          <div className="form">
            <CodeField name="totpCode" problem={useProblem('totpCode')} />
            <Button name="intent" value="enrol">
              {t('action.continue')}
            </Button>
          </div>
        </NewAppSecret>
      </form>
    </>
  )
}
