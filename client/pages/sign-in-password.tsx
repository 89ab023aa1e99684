import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { CurrentPasswordField } from '../forms/current-password.tsx'
import { IdentityChip } from '../forms/identity-chip.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { UsernameHint } from '../forms/username-hint.tsx'
import { identifierNames } from '../journeys/identifier-names.ts'
import { validatePassword } from '../journeys/problems.ts'
import { isAddress } from '../journeys/send-code.ts'
import { StepFrame } from '../layout/frame.tsx'
import type { PageFields } from '../reactions/reactions.ts'
import { Button } from '../ui/button.tsx'
import '../styles/chip.css'

export const fields: PageFields = () => ({ send: ['password'] })

/**
 * Asks for the password, as the second step of a sign-in that began with the identifier (spec/pages#sign-in-password).
 */
export default function SignInPasswordPage() {
  const { experience } = useBoot()
  const t = useT()
  const { navigation } = useCurrentPage()
  const identifier = navigation?.identifier
  // The page table does not show this page without an identifier.
  if (!identifier) return null

  const { type } = identifier
  const takesCode = experience.signIn.methods.some(
    (method) => method.identifier === type && method.verificationCode,
  )
  return (
    <StepFrame
      title={t('description.enter_password')}
      description={
        <IdentityChip
          identifier={identifier}
          masksPhone
          sentence={t('description.enter_password_for', {
            method: t(identifierNames[type]),
            value: '<link></link>',
          })}
        />
      }
    >
      <JourneyForm validate={validatePassword}>
        {(problems) => (
          <>
            <UsernameHint {...identifier} />
            <CurrentPasswordField problem={problems.password} />
            <Button name="submit">{t('action.sign_in')}</Button>
          </>
        )}
      </JourneyForm>
      {takesCode && isAddress(identifier) && (
        <JourneyForm intent="code">
          {() => (
            <Button kind="quiet">
              {t(
                identifier.type === 'email' ? 'vestibule.email_code_instead' : 'vestibule.text_code_instead',
              )}
            </Button>
          )}
        </JourneyForm>
      )}
    </StepFrame>
  )
}
