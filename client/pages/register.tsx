import { IDENTIFIER_MAX_LENGTH } from '../../src/contract/identifiers.ts'
import { needsTerms, offersSignIn } from '../../src/domain/experience-rules.ts'
import { useBoot, useHere, useT } from '../boot.tsx'
import { rememberAgreement } from '../browser/history.ts'
import { LandingFrame, SideLink } from '../frame.tsx'
import { JourneyForm } from '../journey-form.tsx'
import { type Problems, registerProblems } from '../journeys/problems.ts'
import { registerJourneys } from '../journeys/register.ts'
import { usePerformer } from '../performer.tsx'
import { withLink } from '../rich-text.tsx'
import { TermsLinks } from '../terms.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'

export function RegisterPage() {
  const { experience } = useBoot()
  const t = useT()
  return (
    <LandingFrame title={t('description.create_your_account')}>
      {experience.signUp.identifiers.includes('username') ? (
        <UsernameForm />
      ) : (
        <p className="description">{t('vestibule.no_registration')}</p>
      )}
      {offersSignIn(experience) && (
        <p className="aside">
          {t('description.have_account')} <SideLink to="/sign-in">{t('action.sign_in')}</SideLink>
        </p>
      )}
    </LandingFrame>
  )
}

function UsernameForm() {
  const { experience, values } = useBoot()
  const t = useT()
  const { step, entry } = useHere()
  const { isBusy } = usePerformer()
  const agree = useAgreement()
  return (
    <JourneyForm journeys={registerJourneys} find={registerProblems} mend={agree}>
      {(problems) => (
        <>
          <Field
            name="identifier"
            label={t('input.username')}
            problem={problems.identifier}
            defaultValue={values.identifier ?? step?.identifier?.value}
            clearLabel={t('vestibule.clear')}
            type="text"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={IDENTIFIER_MAX_LENGTH}
            required
          />
          {needsTerms(experience) && (
            <Checkbox
              name="termsAgreement"
              problem={problems.termsAgreement}
              defaultChecked={entry?.hasAgreed ?? Boolean(values.termsAgreement)}
              onChange={(event) => rememberAgreement(event.target.checked)}
              required
            >
              {withLink(t('description.agree_with_terms'), <TermsLinks />)}
            </Checkbox>
          )}
          <Button name="submit" isBusy={isBusy}>
            {t('action.create_account')}
          </Button>
        </>
      )}
    </JourneyForm>
  )
}

/** Sent without the tick, the form asks for it; agreeing ticks the box and goes on (product 4, contract 10.4). */
function useAgreement() {
  const t = useT()
  const { ask } = usePerformer()
  return async (problems: Problems, form: HTMLFormElement): Promise<boolean> => {
    const box = form.elements.namedItem('termsAgreement')
    if (Object.keys(problems).join() !== 'termsAgreement' || !(box instanceof HTMLInputElement)) return false
    box.checked = await ask({
      message: withLink(t('description.agree_with_terms_modal'), <TermsLinks />),
      yes: t('action.agree'),
    })
    rememberAgreement(box.checked)
    return box.checked
  }
}
