import { agreeToTermsPolicies } from '../../../src/contract/experience/experience.ts'
import { phrases, useT } from '../../phrases.ts'
import { Select, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { texts } from './phrases.ts'
import type { SettingsForm } from './settings.ts'

export const termsTexts = phrases({
  en: {
    lead: 'Pages link to what you enter here, and users agree to it.',
    termsOfUseUrl: 'Address of the terms of use',
    privacyPolicyUrl: 'Address of the privacy policy',
    policy: 'How users agree',
    Automatic: 'By continuing',
    ManualRegistrationOnly: 'By a tick when they register',
    Manual: 'By a tick at every sign-in and registration',
  },
  de: {
    lead: 'Die Seiten verlinken, was Sie hier eintragen, und die Benutzer stimmen dem zu.',
    termsOfUseUrl: 'Adresse der Nutzungsbedingungen',
    privacyPolicyUrl: 'Adresse der Datenschutzerklärung',
    policy: 'Wie Benutzer zustimmen',
    Automatic: 'Indem sie fortfahren',
    ManualRegistrationOnly: 'Durch ein Häkchen bei der Registrierung',
    Manual: 'Durch ein Häkchen bei jeder Anmeldung und Registrierung',
  },
})

/** The operator's documents, and how users agree to them (spec/experience#terms). */
export function TermsSettings({ settings, change, problems, isReadOnly }: SettingsForm) {
  const t = useT(termsTexts, texts)
  return (
    <Card title={t('terms')} lead={t('lead')}>
      {(['termsOfUseUrl', 'privacyPolicyUrl'] as const).map((name) => (
        <TextField
          key={name}
          label={t(name)}
          type="url"
          placeholder="https://"
          value={settings[name] ?? ''}
          problem={problems[name]}
          isDisabled={isReadOnly}
          onChange={(address) => change({ [name]: address.trim() || null })}
        />
      ))}
      <Select
        label={t('policy')}
        value={settings.agreeToTermsPolicy}
        options={agreeToTermsPolicies.map((value) => ({ value, label: t(value) }))}
        isDisabled={isReadOnly}
        onChange={(agreeToTermsPolicy) => change({ agreeToTermsPolicy })}
      />
    </Card>
  )
}
