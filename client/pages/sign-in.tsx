import { useState } from 'react'
import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import { offersRegistration, signInScreen } from '../../src/domain/experience/experience-rules.ts'
import { useBoot, useHere, useT } from '../context/boot.tsx'
import { ForgotLink } from '../forms/forgot-link.tsx'
import { IdentifierField } from '../forms/identifier-field.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { TermsBox, TermsNote, useAgreement } from '../forms/terms-agreement.tsx'
import { lateValidator } from '../journeys/late-validator.ts'
import { LandingFrame } from '../layout/frame.tsx'
import { SideLink } from '../layout/navigation.tsx'
import { SocialButtons } from '../social/social-buttons.tsx'
import { useSocialConnectors } from '../social/social-connectors.ts'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/field.tsx'

export default function SignInPage() {
  const { experience } = useBoot()
  const t = useT()
  const socialConnectors = useSocialConnectors()
  const screen = signInScreen({ ...experience, socialConnectors })
  const brand = experience.branding.name
  return (
    <LandingFrame
      title={brand ? t('vestibule.sign_in_to', { brand }) : t('description.sign_in_to_your_account')}
      description={
        offersRegistration(experience) && (
          <>
            {t('description.no_account')} <SideLink to="/register">{t('action.create_account')}</SideLink>
          </>
        )
      }
    >
      {screen.kind === 'password' && <PasswordForm identifiers={screen.identifiers} />}
      {screen.kind === 'identifier' && <IdentifierForm identifiers={screen.identifiers} />}
      {experience.passkeys && (
        <JourneyForm intent="passkey">
          {() => <Button kind="quiet">{t('vestibule.passkey_sign_in')}</Button>}
        </JourneyForm>
      )}
      {screen.kind === 'none' && !experience.passkeys && (
        <p className="notice">{t('vestibule.no_sign_in')}</p>
      )}
      {screen.kind === 'socialOnly' ? <SocialSignIn /> : <SocialButtons isAlone={false} />}
      <TermsNote />
    </LandingFrame>
  )
}

type Accepted = { identifiers: readonly IdentifierType[] }

function PasswordForm({ identifiers }: Accepted) {
  const t = useT()
  const agree = useAgreement()
  const known = useKnown(identifiers)
  const [isShown, setShown] = useState(false)
  return (
    <JourneyForm validate={lateValidator('password')} resolve={agree}>
      {(problems) => (
        <>
          <IdentifierField
            accepted={identifiers}
            problem={problems.identifier}
            defaultValue={known}
            isFirst
          />
          <PasswordField
            name="password"
            label={t('input.password')}
            problem={problems.password}
            autoComplete="current-password"
            isShown={isShown}
            capsLock={t('vestibule.caps_lock')}
            toggle={{
              onToggle: () => setShown(!isShown),
              showLabel: t('action.show_password'),
              hideLabel: t('vestibule.hide_password'),
            }}
            below={<ForgotLink />}
            required
          />
          <TermsBox event="SignIn" problem={problems.termsAgreement} />
          <Button name="submit">{t('action.sign_in')}</Button>
        </>
      )}
    </JourneyForm>
  )
}

/** The next page depends on the identifier (spec/pages#sign-in). */
function IdentifierForm({ identifiers }: Accepted) {
  const t = useT()
  const agree = useAgreement()
  const known = useKnown(identifiers)
  return (
    <JourneyForm validate={lateValidator('identifier')} resolve={agree}>
      {(problems) => (
        <>
          <IdentifierField
            accepted={identifiers}
            problem={problems.identifier}
            defaultValue={known}
            isFirst
          />
          <TermsBox event="SignIn" problem={problems.termsAgreement} />
          <Button name="submit">{t('action.continue')}</Button>
        </>
      )}
    </JourneyForm>
  )
}

/** Where users sign in by social buttons alone, they agree to the terms here (spec/pages#terms-agreement). */
function SocialSignIn() {
  const agree = useAgreement()
  return (
    <SocialButtons isAlone validate={lateValidator('social')} resolve={agree}>
      {(problems) => <TermsBox event="SignIn" problem={problems.termsAgreement} />}
    </SocialButtons>
  )
}

/** The identifier of the page from which the user comes back. */
function useKnown(identifiers: readonly IdentifierType[]) {
  const { navigation } = useHere()
  const known = navigation?.identifier
  return known && identifiers.includes(known.type) ? known : undefined
}
