import { useState } from 'react'
import { useBoot, useHere, useT } from '../app/boot.tsx'
import { useReactions } from '../app/reaction-dispatcher.tsx'
import { ForgotLink } from '../forms/forgot-link.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { shownPhone } from '../forms/phones.ts'
import { UsernameHint } from '../forms/username-hint.tsx'
import { identifierNames } from '../journeys/identifier-names.ts'
import { passwordProblems } from '../journeys/problems.ts'
import { isAddress } from '../journeys/send-code.ts'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/field.tsx'
import { withLink } from '../ui/rich-text.tsx'

/** The second half of sign-in: the page before has asked for the identifier (spec/pages#sign-in-password). */
export default function SignInPasswordPage() {
  const { experience } = useBoot()
  const t = useT()
  const { navigation } = useHere()
  const { isBusy, running } = useReactions()
  const [isShown, setShown] = useState(false)
  const isSwitching = running === 'code'
  const identifier = navigation?.identifier
  // The page table shows this page with an identifier only.
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
      <JourneyForm find={passwordProblems}>
        {(problems) => (
          <>
            <UsernameHint name={type === 'phone' ? `+${value}` : value} />
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
              below={<ForgotLink />}
              required
            />
            <Button name="submit" isBusy={isBusy && !isSwitching}>
              {t('action.sign_in')}
            </Button>
          </>
        )}
      </JourneyForm>
      {takesCode && (
        <JourneyForm intent="code">
          {() => (
            <Button kind="quiet" isBusy={isSwitching}>
              {t('action.sign_in_via_passcode')}
            </Button>
          )}
        </JourneyForm>
      )}
    </StepFrame>
  )
}
