import { useT } from '../context/boot.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { AppCodeForm } from './app-code-form.tsx'
import { OtherWays, WhyAsked } from './other-ways.tsx'
import { RememberBrowser } from './remember-browser.tsx'

/** The code of the authenticator app, or another way (spec/pages#second-factor). */
export function AppCodePage() {
  const t = useT()
  return (
    <StepFrame title={t('vestibule.factor_title')} description={t('vestibule.factor_totp_hint')}>
      <AppCodeForm>
        <RememberBrowser />
      </AppCodeForm>
      <WhyAsked />
      <OtherWays />
    </StepFrame>
  )
}
