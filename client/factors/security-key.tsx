import { useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { OtherWays, useWhyAsked } from './other-ways.tsx'
import { RememberBrowser } from './remember-browser.tsx'

/** A passkey or a security key, which needs a script; another way is below (spec/pages#second-factor). */
export function SecurityKeyPage() {
  const t = useT()
  const why = useWhyAsked()
  return (
    <StepFrame title={t('vestibule.factor_title')} description={why}>
      <div className="needs-script">
        <JourneyForm>
          {() => (
            <>
              <RememberBrowser />
              <Button name="submit">{t('vestibule.factor_use_key')}</Button>
            </>
          )}
        </JourneyForm>
      </div>
      <p className="factor-note without-script">{t('vestibule.factor_use_script')}</p>
      <OtherWays />
    </StepFrame>
  )
}
