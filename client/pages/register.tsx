import { needsTerms, offersSignIn } from '../../src/domain/experience-rules.ts'
import { useBoot, useHere, useT } from '../app/boot.tsx'
import { useReactions } from '../app/reaction-dispatcher.tsx'
import { rememberAgreement } from '../browser/history-entry.ts'
import { IdentifierField } from '../forms/identifier-field.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { TermsLinks } from '../forms/terms.tsx'
import type { FieldProblems } from '../journeys/problems.ts'
import { registerProblems, termsProblems } from '../journeys/register-problems.ts'
import { LandingFrame } from '../layout/frame.tsx'
import { SideLink } from '../layout/navigation.tsx'
import { SocialButtons } from '../social/social-buttons.tsx'
import { useSocialConnectors } from '../social/social-connectors.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { withLink } from '../ui/rich-text.tsx'

export default function RegisterPage() {
  const { experience } = useBoot()
  const t = useT()
  const hasForm = experience.signUp.identifiers.length > 0
  const hasSocial = useSocialConnectors().length > 0
  return (
    <LandingFrame title={t('description.create_your_account')}>
      {hasForm && <IdentifierForm />}
      {!hasForm && !hasSocial && <p className="description">{t('vestibule.no_registration')}</p>}
      {hasForm ? <SocialButtons isAlone={false} /> : <SocialRegistration />}
      {offersSignIn(experience) && (
        <p className="aside">
          {t('description.have_account')} <SideLink to="/sign-in">{t('action.sign_in')}</SideLink>
        </p>
      )}
    </LandingFrame>
  )
}

function IdentifierForm() {
  const { identifiers } = useBoot().experience.signUp
  const t = useT()
  const { navigation } = useHere()
  const { isBusy } = useReactions()
  const agree = useAgreement()
  const known = navigation?.identifier
  return (
    <JourneyForm find={registerProblems} mend={agree}>
      {(problems) => (
        <>
          <IdentifierField
            accepted={identifiers}
            problem={problems.identifier}
            defaultValue={known && identifiers.includes(known.type) ? known : undefined}
          />
          <Terms problem={problems.termsAgreement} />
          <Button name="submit" isBusy={isBusy}>
            {t('action.create_account')}
          </Button>
        </>
      )}
    </JourneyForm>
  )
}

/** Where users register by social buttons alone, they agree to the terms here (spec/pages#terms-agreement). */
function SocialRegistration() {
  const agree = useAgreement()
  return (
    <SocialButtons isAlone find={termsProblems} mend={agree}>
      {(problems) => <Terms problem={problems.termsAgreement} />}
    </SocialButtons>
  )
}

/** Nothing without terms. */
function Terms({ problem }: { problem?: string | undefined }) {
  const { experience, values } = useBoot()
  const t = useT()
  const { entry } = useHere()
  if (!needsTerms(experience)) return null
  return (
    <Checkbox
      name="termsAgreement"
      problem={problem}
      defaultChecked={entry?.hasAgreed ?? Boolean(values.termsAgreement)}
      onChange={(event) => rememberAgreement(event.target.checked)}
      required
    >
      {withLink(t('description.agree_with_terms'), <TermsLinks />)}
    </Checkbox>
  )
}

/** Submitted without agreement, the form asks for it; a yes checks the box and goes on (spec/pages#terms-agreement). */
function useAgreement() {
  const t = useT()
  const { ask } = useReactions()
  return async (problems: FieldProblems, form: HTMLFormElement): Promise<boolean> => {
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
