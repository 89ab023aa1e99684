import { useState } from 'react'
import { useBoot, useHere, useT } from '../boot.tsx'
import { ForgotLink } from '../forgot-link.tsx'
import { StepFrame } from '../frame.tsx'
import { JourneyForm } from '../journey-form.tsx'
import { identifierNames } from '../journeys/identifier-names.ts'
import { passwordProblems } from '../journeys/problems.ts'
import { isAddress } from '../journeys/send-code.ts'
import { signInPasswordJourneys } from '../journeys/sign-in.ts'
import { usePerformer } from '../performer.tsx'
import { shownPhone } from '../phones.ts'
import { withLink } from '../rich-text.tsx'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/field.tsx'
import { WhosePassword } from '../ui/whose-password.tsx'

/** The second half of signing in: the page before has learned who it is. */
export function SignInPasswordPage() {
  const { experience } = useBoot()
  const t = useT()
  const { step } = useHere()
  const { isBusy } = usePerformer()
  const [isShown, setShown] = useState(false)
  const [isSwitching, setSwitching] = useState(false)
  const identifier = step?.identifier
  // The page table draws this page for nobody else.
  if (!identifier) return null

  const { type, value } = identifier
  const takesCode =
    isAddress(identifier) &&
    experience.signIn.methods.some((method) => method.identifier === type && method.verificationCode)
  const shown = type === 'phone' ? shownPhone(value) : value
  return (
    <StepFrame
      title={t('description.enter_password')}
      description={withLink(
        t('description.enter_password_for', { method: t(identifierNames[type]), value: '<link></link>' }),
        <bdi className="strong">{shown}</bdi>,
      )}
    >
      <JourneyForm journeys={signInPasswordJourneys} find={passwordProblems}>
        {(problems) => (
          <>
            <WhosePassword name={type === 'phone' ? `+${value}` : value} />
            <PasswordField
              name="password"
              label={t('input.password')}
              problem={problems.password}
              autoComplete="current-password"
              isShown={isShown}
              toggle={{
                onToggle: () => setShown(!isShown),
                showLabel: t('action.show_password'),
                hideLabel: t('vestibule.hide_password'),
              }}
              required
            />
            <ForgotLink />
            <Button name="submit" isBusy={isBusy && !isSwitching} onClick={() => setSwitching(false)}>
              {t('action.sign_in')}
            </Button>
          </>
        )}
      </JourneyForm>
      {takesCode && (
        <JourneyForm journeys={signInPasswordJourneys} intent="code">
          {() => (
            <Button kind="quiet" isBusy={isBusy && isSwitching} onClick={() => setSwitching(true)}>
              {t('action.sign_in_via_passcode')}
            </Button>
          )}
        </JourneyForm>
      )}
    </StepFrame>
  )
}
