import { useT } from '../context/boot.tsx'
import { Qr } from '../factors/qr.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import type { AccountView } from './account-view.tsx'
import { Heading } from './parts.tsx'

type Invitation = { secret: string; address: string; enrolment: string }

/** An authenticator app: its secret as a picture and as text, and the code that proves it (spec/account-centre#authenticator-app). */
export function NewApp({
  invitation: { secret, address, enrolment },
  problem,
}: {
  invitation: Invitation
  problem: AccountView['problem']
}) {
  const said = useT()
  return (
    <>
      <Heading title={said('vestibule.factor_setup')} lead={said('vestibule.factor_scan')} />
      <form method="post" className="account-card account-form">
        <Qr text={address} label={said('vestibule.factor_qr')} />
        <p className="account-quiet">{said('vestibule.factor_key')}</p>
        <code className="factor-text" dir="ltr">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </code>
        <input type="hidden" name="enrolment" value={enrolment} />
        <Field
          name="totpCode"
          label={said('vestibule.verification_code')}
          problem={problem?.field === 'totpCode' ? problem.message : undefined}
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
          maxLength={16}
          required
        />
        <Button name="intent" value="enrol">
          {said('action.continue')}
        </Button>
      </form>
    </>
  )
}
