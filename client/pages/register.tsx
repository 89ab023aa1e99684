import { offersSignIn } from '../../src/domain/experience/experience-rules.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { IdentifierForm } from '../forms/identifier-form.tsx'
import { TermsCheckbox, TermsSentence, termsFields, useAskForAgreement } from '../forms/terms-agreement.tsx'
import { validateRegisterTerms, validateRegistration } from '../journeys/terms-problems.ts'
import { LandingFrame } from '../layout/frame.tsx'
import { SiblingLink } from '../layout/navigation.tsx'
import type { PageFields } from '../reactions/reactions.ts'
import { SocialButtons, SocialForm } from '../social/social-buttons.tsx'
import { useSocialConnectors } from '../social/social-connectors.ts'

export const fields: PageFields = ({ experience }) => {
  const terms = termsFields(experience, 'Register')
  return experience.signUp.identifiers.length > 0 ? { send: ['identifier', ...terms] } : { social: terms }
}

export default function RegisterPage() {
  const { experience } = useBoot()
  const t = useT()
  const agree = useAskForAgreement()
  const { identifiers } = experience.signUp
  const hasForm = identifiers.length > 0
  const hasSocial = useSocialConnectors().length > 0
  return (
    <LandingFrame
      title={t('description.create_your_account')}
      description={
        offersSignIn(experience) && (
          <>
            {t('description.have_account')} <SiblingLink to="/sign-in">{t('action.sign_in')}</SiblingLink>
          </>
        )
      }
    >
      {hasForm && (
        <IdentifierForm accepted={identifiers} validate={validateRegistration} resolve={agree}>
          {(problems) => <TermsCheckbox event="Register" problem={problems.termsAgreement} />}
        </IdentifierForm>
      )}
      {!hasForm && !hasSocial && <p className="description aside">{t('vestibule.no_registration')}</p>}
      {hasForm ? <SocialButtons /> : <SocialForm event="Register" validate={validateRegisterTerms} />}
      <TermsSentence />
    </LandingFrame>
  )
}
