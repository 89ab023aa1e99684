import { useState } from 'react'
import type { IdentifierType } from '../../src/contract/identifiers.ts'
import { IDENTIFIER_MAX_LENGTH } from '../../src/contract/identifiers.ts'
import { needsTerms, offersRegistration, signInScreen } from '../../src/domain/experience-rules.ts'
import { useBoot, useT } from '../boot.tsx'
import { LandingFrame, SideLink } from '../frame.tsx'
import { JourneyForm } from '../journey-form.tsx'
import { identifierLabels, signInProblems } from '../journeys/problems.ts'
import { signInJourneys } from '../journeys/sign-in.ts'
import { usePerformer } from '../performer.tsx'
import { TermsLinks } from '../terms.tsx'
import { Button } from '../ui/button.tsx'
import { Field, PasswordField } from '../ui/field.tsx'

export function SignInPage() {
  const { experience } = useBoot()
  const t = useT()
  const screen = signInScreen(experience)
  return (
    <LandingFrame title={t('description.sign_in_to_your_account')}>
      {'identifiers' in screen ? (
        <PasswordForm identifiers={screen.identifiers} />
      ) : (
        <p className="description">{t('vestibule.no_sign_in')}</p>
      )}
      {/* Social buttons follow here, below "or". */}
      {offersRegistration(experience) && (
        <p className="aside">
          {t('description.no_account')} <SideLink to="/register">{t('action.create_account')}</SideLink>
        </p>
      )}
      {needsTerms(experience) && (
        <p className="terms">
          <TermsLinks />
        </p>
      )}
    </LandingFrame>
  )
}

function PasswordForm({ identifiers }: { identifiers: readonly IdentifierType[] }) {
  const { values } = useBoot()
  const t = useT()
  const { isBusy } = usePerformer()
  const [isShown, setShown] = useState(false)
  return (
    <JourneyForm journeys={signInJourneys} find={signInProblems}>
      {(problems) => (
        <>
          <Field
            {...inputFor(identifiers)}
            name="identifier"
            label={identifiers.map((type) => t(identifierLabels[type])).join(' / ')}
            problem={problems.identifier}
            defaultValue={values.identifier}
            clearLabel={t('vestibule.clear')}
            required
          />
          <PasswordField
            name="password"
            label={t('input.password')}
            problem={problems.password}
            autoComplete="current-password"
            isShown={isShown}
            toggle={{
              onToggle: () => setShown(!isShown),
              showLabel: t('action.show_password'),
              hideLabel: t('vestibule.hide_password'),
            }}
            required
          />
          <Button name="submit" isBusy={isBusy}>
            {t('action.sign_in')}
          </Button>
        </>
      )}
    </JourneyForm>
  )
}

/**
 * How the keyboard and the password manager meet the field (contract 10.3). Where several kinds are taken,
 * `autocomplete` has one name, not all of them: HTML allows no list, and "username" is what managers fill.
 */
function inputFor(identifiers: readonly IdentifierType[]) {
  const plain = {
    autoCapitalize: 'none',
    autoCorrect: 'off',
    spellCheck: false,
    maxLength: IDENTIFIER_MAX_LENGTH,
  }
  const [only, ...others] = identifiers
  switch (others.length === 0 ? only : undefined) {
    case 'email':
      return { ...plain, type: 'email', autoComplete: 'email' }
    case 'phone':
      return { ...plain, type: 'tel', inputMode: 'numeric', autoComplete: 'tel' } as const
    case 'username':
    case undefined:
      return { ...plain, type: 'text', autoComplete: 'username' }
  }
}
