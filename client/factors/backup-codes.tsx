import { useHere, useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { CopyCodes } from './copy-codes.tsx'
import { RememberBrowser } from './remember-browser.tsx'

/** The backup codes, shown this once (spec/pages#second-factor). */
export function BackupCodesPage() {
  const t = useT()
  const { backupCodes = [] } = useHere().navigation ?? {}
  return (
    <StepFrame title={t('vestibule.factor_codes_title')} description={t('vestibule.factor_codes_hint')}>
      <ul className="backup-codes" dir="ltr">
        {backupCodes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <CopyCodes codes={backupCodes} />
      <JourneyForm>
        {() => (
          <>
            <RememberBrowser />
            <Button name="submit">{t('vestibule.factor_codes_saved')}</Button>
          </>
        )}
      </JourneyForm>
    </StepFrame>
  )
}
