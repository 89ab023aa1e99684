import { useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { BACKUP_CODE_FIELD, backupCodeProblems } from './journeys.ts'
import { FewCodes, OtherWays, WhyAsked } from './other-ways.tsx'
import { RememberBrowser } from './remember-browser.tsx'

/** A backup code in place of the authenticator app (spec/pages#second-factor). */
export function BackupCodePage() {
  const t = useT()
  return (
    <StepFrame title={t('vestibule.factor_title')} description={t('vestibule.factor_backup_hint')}>
      <JourneyForm validate={backupCodeProblems}>
        {(problems) => (
          <>
            <Field
              name={BACKUP_CODE_FIELD}
              label={t('vestibule.factor_backup_code')}
              problem={problems[BACKUP_CODE_FIELD]}
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              dir="ltr"
              maxLength={32}
              required
            />
            <RememberBrowser />
            <Button name="submit">{t('action.continue')}</Button>
          </>
        )}
      </JourneyForm>
      <WhyAsked />
      <FewCodes />
      <OtherWays />
    </StepFrame>
  )
}
