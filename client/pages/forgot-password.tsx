import { useBoot, useHere, useT } from '../context/boot.tsx'
import { IdentifierField } from '../forms/identifier-field.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { resetAddresses, resetAddressProblems } from '../journeys/forgot-password.ts'
import { identifierNames } from '../journeys/identifier-names.ts'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'

/** Asks for the address by which the password is reset, and has that of the page before if it is one (spec/pages#forgot-password). */
export default function ForgotPasswordPage() {
  const boot = useBoot()
  const t = useT()
  const { navigation } = useHere()
  const accepted = resetAddresses(boot)
  const known = navigation?.identifier
  return (
    <StepFrame
      title={t('description.reset_password')}
      description={t('description.reset_password_description', {
        types: accepted.map((type) => t(identifierNames[type])),
      })}
    >
      <JourneyForm validate={resetAddressProblems}>
        {(problems) => (
          <>
            <IdentifierField
              accepted={accepted}
              problem={problems.identifier}
              defaultValue={accepted.some((type) => type === known?.type) ? known : undefined}
            />
            <Button name="submit">{t('action.continue')}</Button>
          </>
        )}
      </JourneyForm>
    </StepFrame>
  )
}
