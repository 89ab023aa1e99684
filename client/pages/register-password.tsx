import { useState } from 'react'
import { PASSWORD_MIN_LENGTH } from '../../src/contract/identifiers.ts'
import { useBoot, useHere, useT } from '../boot.tsx'
import { useHydrated } from '../browser/facts.ts'
import { StepFrame } from '../frame.tsx'
import { JourneyForm } from '../journey-form.tsx'
import { confirmsPassword, newPasswordProblems } from '../journeys/problems.ts'
import { registerPasswordJourneys } from '../journeys/register.ts'
import { usePerformer } from '../performer.tsx'
import { withLink } from '../rich-text.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { PasswordField } from '../ui/field.tsx'

export function RegisterPasswordPage() {
  const boot = useBoot()
  const t = useT()
  const { step } = useHere()
  const { isBusy } = usePerformer()
  const isHydrated = useHydrated()
  const [isShown, setShown] = useState(false)
  const name = step?.identifier?.value
  const isTypedTwice = confirmsPassword(boot)
  const eye = {
    onToggle: () => setShown(!isShown),
    showLabel: t('action.show_password'),
    hideLabel: t('vestibule.hide_password'),
  }
  return (
    <StepFrame
      title={t('description.set_password')}
      description={withLink(t('vestibule.set_password_for'), <bdi className="strong">{name}</bdi>)}
    >
      <JourneyForm journeys={registerPasswordJourneys} find={newPasswordProblems}>
        {(problems) => (
          <>
            {/* Tells the password manager whose password this is. */}
            <input
              className="visually-hidden"
              type="text"
              autoComplete="username"
              value={name}
              readOnly
              tabIndex={-1}
              aria-hidden="true"
            />
            <PasswordField
              name="newPassword"
              label={t('input.password')}
              problem={problems.newPassword}
              hint={t('vestibule.password_hint', { min: PASSWORD_MIN_LENGTH })}
              autoComplete="new-password"
              isShown={isShown}
              toggle={isTypedTwice ? undefined : eye}
              clearLabel={isTypedTwice ? t('vestibule.clear') : undefined}
              required
            />
            {isTypedTwice && (
              <PasswordField
                name="confirmPassword"
                label={t('input.confirm_password')}
                problem={problems.confirmPassword}
                autoComplete="new-password"
                isShown={isShown}
                clearLabel={t('vestibule.clear')}
                required
              />
            )}
            {isTypedTwice && isHydrated && (
              <Checkbox name="toggle-password" checked={isShown} onChange={eye.onToggle}>
                {t('action.show_password')}
              </Checkbox>
            )}
            <Button name="submit" isBusy={isBusy}>
              {t('action.save_password')}
            </Button>
          </>
        )}
      </JourneyForm>
    </StepFrame>
  )
}
