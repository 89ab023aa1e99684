import { useState } from 'react'
import { copyText } from '../browser/clipboard.ts'
import { useIsHydrated } from '../browser/facts.ts'
import { useCurrentPage, useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { RememberBrowser } from './remember-browser.tsx'

/** Shows new backup codes. They cannot be displayed again later (spec/pages#second-factor). */
export function BackupCodesPage() {
  const t = useT()
  const { backupCodes = [] } = useCurrentPage().navigation ?? {}
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

const outcomes = {
  copied: 'vestibule.factor_codes_copied',
  failed: 'vestibule.factor_codes_uncopied',
} as const

/** Copies the codes to the clipboard, one per line. The result is shown and announced below the button. */
function CopyCodes({ codes }: { codes: readonly string[] }) {
  const t = useT()
  const isHydrated = useIsHydrated()
  const [outcome, setOutcome] = useState<keyof typeof outcomes | null>(null)
  const copy = async () => setOutcome((await copyText(codes.join('\n'))) ? 'copied' : 'failed')
  return (
    <div className="copy-codes needs-script" inert={!isHydrated}>
      <button type="button" className="link text-button" onClick={copy}>
        {t('vestibule.factor_codes_copy')}
      </button>
      <p className="copy-outcome" role="status">
        {outcome && t(outcomes[outcome])}
      </p>
    </div>
  )
}
