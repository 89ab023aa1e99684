import { CodeForm } from '../codes/code-form.tsx'
import { useCurrentPage, useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { APP_CODE_FIELD } from './journeys.ts'
import { QrCode } from './qr.tsx'

/**
 * Sets up an authenticator app for a user who needs one: explains why, and then shows the secret
 * (spec/pages#second-factor).
 */
export function SetUpPage() {
  const { totp } = useCurrentPage().navigation ?? {}
  return totp ? <Scan {...totp} /> : <Explanation />
}

function Explanation() {
  const t = useT()
  return (
    <StepFrame title={t('vestibule.factor_setup_title')} description={t('vestibule.factor_setup_hint')}>
      <JourneyForm intent="begin" isMain>
        {() => <Button name="submit">{t('vestibule.factor_setup')}</Button>}
      </JourneyForm>
      <Defer />
    </StepFrame>
  )
}

function Scan({ secret, address }: { secret: string; address: string }) {
  const t = useT()
  return (
    <StepFrame title={t('vestibule.factor_setup')} description={t('vestibule.factor_scan')}>
      <QrCode text={address} label={t('vestibule.factor_qr')} />
      <p className="factor-key">
        {t('vestibule.factor_key')}
        <code className="factor-text" dir="ltr">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </code>
      </p>
      <CodeForm name={APP_CODE_FIELD} />
      <Defer />
    </StepFrame>
  )
}

/**
 * Lets the user postpone the setup if the policy allows it. The submit call decides whether it does
 * (spec/accounts#put-off).
 */
function Defer() {
  const t = useT()
  const count = new URLSearchParams(useCurrentPage().search).get('putOffsLeft')
  if (!count || !/^\d{1,2}$/.test(count)) return null
  return (
    <JourneyForm intent="later">
      {() => (
        <>
          <Button kind="quiet">{t('vestibule.factor_later')}</Button>
          <p className="aside">{t('vestibule.factor_put_offs_left', { count: Number(count) })}</p>
        </>
      )}
    </JourneyForm>
  )
}
