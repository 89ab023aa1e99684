import { useHere, useT } from '../context/boot.tsx'
import { IdentifierField } from '../forms/identifier-field.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { missingNameProblems } from '../journeys/continue.ts'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'

/** The username that an account lacks (spec/pages#continue). */
export default function ContinueUsernamePage() {
  const t = useT()
  const { navigation } = useHere()
  const known = navigation?.identifier
  return (
    <StepFrame
      title={t('description.enter_username')}
      description={t('description.enter_username_description')}
    >
      <JourneyForm validate={missingNameProblems}>
        {(problems) => (
          <>
            <IdentifierField
              accepted={['username']}
              problem={problems.identifier}
              defaultValue={known?.type === 'username' ? known : undefined}
            />
            <Button name="submit">{t('action.continue')}</Button>
          </>
        )}
      </JourneyForm>
    </StepFrame>
  )
}
