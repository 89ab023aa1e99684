import { useState } from 'react'
import { useIsHydrated } from '../browser/facts.ts'
import { useCurrentPage, useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { CodeSheet } from './code-sheet.tsx'
import { EnrolmentSteps } from './enrolment.tsx'
import { RememberBrowser } from './remember-browser.tsx'

/**
 * Shows new backup codes. They cannot be displayed again later, so the user first saves them or says that they are
 * written down (spec/pages#second-factor).
 */
export function BackupCodesPage() {
  const t = useT()
  const isHydrated = useIsHydrated()
  const [isSaved, setSaved] = useState(false)
  const [isWritten, setWritten] = useState(false)
  const { backupCodes = [] } = useCurrentPage().navigation ?? {}
  return (
    <StepFrame
      title={t('vestibule.factor_codes_title')}
      description={`${t('vestibule.factor_app_works')} ${t('vestibule.factor_codes_hint')}`}
    >
      <EnrolmentSteps current={2} />
      <CodeSheet codes={backupCodes} onSaved={() => setSaved(true)} />
      <JourneyForm>
        {() => (
          <>
            <div className="checkbox">
              <label className="checkbox-label">
                <input
                  type="checkbox"
                  name="written"
                  checked={isWritten}
                  onChange={(event) => setWritten(event.target.checked)}
                  required
                />
                <span>{t('vestibule.factor_written')}</span>
              </label>
            </div>
            {/* Without JavaScript, the browser itself asks for the tick. */}
            <Button name="submit" disabled={isHydrated && !isSaved && !isWritten}>
              {t('vestibule.factor_codes_saved')}
            </Button>
            <RememberBrowser />
          </>
        )}
      </JourneyForm>
    </StepFrame>
  )
}
