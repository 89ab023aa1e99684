import { useRef } from 'react'
import { useHadInput } from '../browser/had-input.ts'
import { CodeForm } from '../codes/code-form.tsx'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { EnrolmentSteps, NewAppSecret } from './enrolment.tsx'
import { APP_CODE_FIELD } from './journeys.ts'

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

function Scan(app: { secret: string; address: string }) {
  const t = useT()
  const isPhone = useBoot().platform === 'mobile'
  const confirmation = useRef<HTMLDivElement>(null)
  const isConfirming = useHadInput(confirmation)
  return (
    <StepFrame
      title={t('vestibule.factor_setup')}
      // A phone cannot scan itself.
      description={isPhone ? undefined : t('vestibule.factor_scan')}
    >
      <EnrolmentSteps current={isConfirming ? 1 : 0} />
      <NewAppSecret {...app}>
        <div ref={confirmation}>
          <CodeForm name={APP_CODE_FIELD} />
        </div>
        <Defer />
      </NewAppSecret>
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
