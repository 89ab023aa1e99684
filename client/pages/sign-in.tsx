import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import { offersRegistration, signInScreen } from '../../src/domain/experience/experience-rules.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { CurrentPasswordField } from '../forms/current-password.tsx'
import { IdentifierForm } from '../forms/identifier-form.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { TermsCheckbox, TermsNote, termsFields, useAskForAgreement } from '../forms/terms-agreement.tsx'
import { createLazyValidator } from '../journeys/validate-late.ts'
import { LandingFrame } from '../layout/frame.tsx'
import { SiblingLink } from '../layout/navigation.tsx'
import type { PageFields } from '../reactions/reactions.ts'
import { SocialButtons, SocialForm } from '../social/social-buttons.tsx'
import { useSocialConnectors } from '../social/social-connectors.ts'
import { Button } from '../ui/button.tsx'
import { PasskeyIcon } from '../ui/icons.tsx'

export const fields: PageFields = ({ experience }) => {
  const screen = signInScreen(experience)
  const terms = termsFields(experience, 'SignIn')
  if (!('identifiers' in screen)) return { social: terms }
  return {
    send: screen.kind === 'password' ? ['identifier', 'password', ...terms] : ['identifier', ...terms],
  }
}

export default function SignInPage() {
  const { experience } = useBoot()
  const t = useT()
  const socialConnectors = useSocialConnectors()
  const screen = signInScreen({ ...experience, socialConnectors })
  const brand = experience.branding.name
  // Browsers show passkeys only to scripts.
  const passkey = experience.passkeys && (
    <div className="needs-script">
      <JourneyForm intent="passkey">
        {() => (
          <Button kind="quiet">
            <PasskeyIcon />
            {t('vestibule.passkey_sign_in')}
          </Button>
        )}
      </JourneyForm>
    </div>
  )
  return (
    <LandingFrame
      title={brand ? t('vestibule.sign_in_to', { brand }) : t('description.sign_in_to_your_account')}
      description={
        offersRegistration(experience) && (
          <>
            {t('description.no_account')}{' '}
            <SiblingLink to="/register">{t('action.create_account')}</SiblingLink>
          </>
        )
      }
    >
      {'identifiers' in screen && <SignInForm key={screen.kind} {...screen} />}
      {screen.kind === 'none' && !experience.passkeys && (
        <p className="description aside">{t('vestibule.no_sign_in')}</p>
      )}
      {screen.kind === 'socialOnly' ? (
        <SocialForm event="SignIn" validate={createLazyValidator('social')} before={passkey} />
      ) : (
        <SocialButtons isMain={screen.kind === 'none'} before={passkey} />
      )}
      <TermsNote />
    </LandingFrame>
  )
}

/**
 * Asks for an identifier and the password, or only for the identifier if the next step depends on it
 * (spec/pages#sign-in).
 */
function SignInForm({
  kind,
  identifiers,
}: {
  kind: 'password' | 'identifier'
  identifiers: readonly IdentifierType[]
}) {
  const agree = useAskForAgreement()
  const hasPassword = kind === 'password'
  return (
    <IdentifierForm
      accepted={identifiers}
      validate={createLazyValidator(kind)}
      resolve={agree}
      isFirst
      hasPassword={hasPassword}
      button={hasPassword ? 'action.sign_in' : 'action.continue'}
    >
      {(problems) => (
        <>
          {hasPassword && <CurrentPasswordField problem={problems.password} />}
          <TermsCheckbox event="SignIn" problem={problems.termsAgreement} />
        </>
      )}
    </IdentifierForm>
  )
}
