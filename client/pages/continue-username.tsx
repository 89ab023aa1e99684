import { useHere, useT } from '../boot.tsx'
import { StepFrame } from '../frame.tsx'
import { IdentifierField } from '../identifier-field.tsx'
import { JourneyForm } from '../journey-form.tsx'
import { continueUsernameJourneys, missingNameProblems } from '../journeys/continue.ts'
import { usePerformer } from '../performer.tsx'
import { Button } from '../ui/button.tsx'

/** The name an account lacks (product 2, continue/{method}). */
export function ContinueUsernamePage() {
  const t = useT()
  const { step } = useHere()
  const { isBusy } = usePerformer()
  const known = step?.identifier
  return (
    <StepFrame
      title={t('description.enter_username')}
      description={t('description.enter_username_description')}
    >
      <JourneyForm journeys={continueUsernameJourneys} find={missingNameProblems}>
        {(problems) => (
          <>
            <IdentifierField
              accepted={['username']}
              problem={problems.identifier}
              defaultValue={known?.type === 'username' ? known : undefined}
            />
            <Button name="submit" isBusy={isBusy}>
              {t('action.continue')}
            </Button>
          </>
        )}
      </JourneyForm>
    </StepFrame>
  )
}
