import { useState } from 'react'
import type { SignUp } from '../../../src/contract/experience/experience.ts'
import { isDeepEqual } from '../../api/changes.ts'
import { phrases, useT } from '../../phrases.ts'
import { Checkbox, Select } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { MissingConnector } from './missing-connector.tsx'
import { texts } from './phrases.ts'
import type { SettingsForm } from './settings.ts'
import { findSignUpChoice, type SignUpChoice, signUpPresets } from './sign-in-methods.ts'
import { findFixedSettings, type ImpliedChange, listImpliedChanges, withSignUp } from './sign-up-choice.ts'

export const signUpPhrases = phrases({
  en: {
    signUpLead: 'New users sign up with this identifier, and must also be able to sign in with it.',
    identifier: 'Identifier for new accounts',
    emailOrPhone: 'Email address or phone number',
    none: 'None (social accounts only)',
    other: 'Another combination, set through the API',
    askPassword: 'Ask for a password',
    verify: 'Verify email addresses and phone numbers with a code',
    passwordFixed: 'Always on: a username needs a password.',
    verifyFixed: 'Always on: without a code, people could sign up with someone else’s address.',
    verifyOn: 'New users now verify their address with a code.',
    verifyOff: 'New users no longer verify an address.',
    passwordOn: 'New users now choose a password.',
    passwordOff: 'New users are no longer asked for a password.',
    methodAdded: 'Users can now also sign in with it.',
    methodPassword: 'Every sign-in method now accepts a password.',
    methodCode: 'Sign-in with an address now accepts a code.',
  },
  de: {
    signUpLead:
      'Mit diesem Bezeichner registrieren sich neue Benutzer. Sie müssen sich auch damit anmelden können.',
    identifier: 'Bezeichner neuer Konten',
    emailOrPhone: 'E-Mail-Adresse oder Telefonnummer',
    none: 'Keiner (nur Konten anderer Anbieter)',
    other: 'Eine andere Kombination, über die API gesetzt',
    askPassword: 'Nach einem Passwort fragen',
    verify: 'Adressen mit einem Code bestätigen',
    passwordFixed: 'Immer an: Zu einem Benutzernamen gehört ein Passwort.',
    verifyFixed: 'Immer an: Ohne Code könnte sich jemand mit einer fremden Adresse registrieren.',
    verifyOn: 'Neue Benutzer bestätigen ihre Adresse jetzt mit einem Code.',
    verifyOff: 'Neue Benutzer bestätigen keine Adresse mehr.',
    passwordOn: 'Neue Benutzer wählen jetzt ein Passwort.',
    passwordOff: 'Neue Benutzer werden nicht mehr nach einem Passwort gefragt.',
    methodAdded: 'Benutzer können sich jetzt auch damit anmelden.',
    methodPassword: 'Jede Anmeldemethode akzeptiert jetzt ein Passwort.',
    methodCode: 'Die Anmeldung mit einer Adresse akzeptiert jetzt einen Code.',
  },
})

const choices = Object.keys(signUpPresets) as SignUpChoice[]

/** Edits what new users sign up with, and names what a choice also switches. */
export function SignUpSettings({ settings, change, isReadOnly }: SettingsForm) {
  const t = useT(signUpPhrases, texts)
  const [last, setLast] = useState<{ signUp: SignUp; implied: readonly ImpliedChange[] } | null>(null)
  const { signUp, signIn } = settings
  const choice = findSignUpChoice(signUp)
  const fixed = findFixedSettings(signUp)
  // The sentences no longer apply once the change is discarded.
  const implied = isDeepEqual(last?.signUp, signUp) ? (last?.implied ?? []) : []
  const set = (changed: keyof SignUp, next: SignUp) => {
    const after = withSignUp(settings, next)
    setLast({ signUp: next, implied: listImpliedChanges({ signUp, signIn }, after, changed) })
    change(after)
  }
  const choose = (next: SignUpChoice | 'other') => {
    if (next === 'other') return
    const preset = signUpPresets[next]
    set('identifiers', { ...preset, identifiers: [...preset.identifiers] })
  }
  return (
    <Card title={t('signUp')} lead={t('signUpLead')}>
      <Select<SignUpChoice | 'other'>
        label={t('identifier')}
        value={choice ?? 'other'}
        options={[...choices, ...(choice ? [] : (['other'] as const))].map((value) => ({
          value,
          label: t(value),
        }))}
        isDisabled={isReadOnly}
        onChange={choose}
      />
      {signUp.identifiers.map((type) => (
        <MissingConnector key={type} identifier={type} />
      ))}
      <Checkbox
        label={t('askPassword')}
        hint={fixed.password ? t('passwordFixed') : undefined}
        isDisabled={isReadOnly || fixed.password}
        isSelected={signUp.password}
        onChange={(password) => set('password', { ...signUp, password })}
      />
      <Checkbox
        label={t('verify')}
        hint={fixed.verify ? t('verifyFixed') : undefined}
        isDisabled={isReadOnly || fixed.verify}
        isSelected={signUp.verify}
        onChange={(verify) => set('verify', { ...signUp, verify })}
      />
      <p className="hint" role="status">
        {implied.map((each) => t(each)).join(' ')}
      </p>
    </Card>
  )
}
