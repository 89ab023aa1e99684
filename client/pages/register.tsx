import { offersSignIn } from '../../src/domain/experience/experience-rules.ts'
import { useBoot, useHere, useT } from '../context/boot.tsx'
import { IdentifierField } from '../forms/identifier-field.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { TermsBox, TermsSentence, useAgreement } from '../forms/terms-agreement.tsx'
import { registerProblems } from '../journeys/register-problems.ts'
import { registerTermsProblems } from '../journeys/terms-problems.ts'
import { LandingFrame } from '../layout/frame.tsx'
import { SideLink } from '../layout/navigation.tsx'
import { SocialButtons } from '../social/social-buttons.tsx'
import { useSocialConnectors } from '../social/social-connectors.ts'
import { Button } from '../ui/button.tsx'

export default function RegisterPage() {
  const { experience } = useBoot()
  const t = useT()
  const hasForm = experience.signUp.identifiers.length > 0
  const hasSocial = useSocialConnectors().length > 0
  return (
    <LandingFrame
      title={t('description.create_your_account')}
      description={
        offersSignIn(experience) && (
          <>
            {t('description.have_account')} <SideLink to="/sign-in">{t('action.sign_in')}</SideLink>
          </>
        )
      }
    >
      {hasForm && <IdentifierForm />}
      {!hasForm && !hasSocial && <p className="notice">{t('vestibule.no_registration')}</p>}
      {hasForm ? <SocialButtons isAlone={false} /> : <SocialRegistration />}
      <TermsSentence />
    </LandingFrame>
  )
}

function IdentifierForm() {
  const { identifiers } = useBoot().experience.signUp
  const t = useT()
  const { navigation } = useHere()
  const agree = useAgreement()
  const known = navigation?.identifier
  return (
    <JourneyForm validate={registerProblems} resolve={agree}>
      {(problems) => (
        <>
          <IdentifierField
            accepted={identifiers}
            problem={problems.identifier}
            defaultValue={known && identifiers.includes(known.type) ? known : undefined}
          />
          <TermsBox event="Register" problem={problems.termsAgreement} />
          <Button name="submit">{t('action.continue')}</Button>
        </>
      )}
    </JourneyForm>
  )
}

/** Where users register by social buttons alone, they agree to the terms here (spec/pages#terms-agreement). */
function SocialRegistration() {
  const agree = useAgreement()
  return (
    <SocialButtons isAlone validate={registerTermsProblems} resolve={agree}>
      {(problems) => <TermsBox event="Register" problem={problems.termsAgreement} />}
    </SocialButtons>
  )
}
