import { agreeToTermsPolicies } from '../../../src/contract/experience/experience.ts'
import { phrases, useT } from '../../phrases.ts'
import { Select, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { texts } from './phrases.ts'
import { bindSettings, type SettingsForm } from './settings.ts'

export const termsPhrases = phrases({
  en: {
    lead: 'The sign-in pages link to these documents, and users agree to them.',
    termsOfUseUrl: 'Terms of use URL',
    privacyPolicyUrl: 'Privacy policy URL',
    agreeToTermsPolicy: 'How users agree to the terms',
    Automatic: 'By continuing',
    ManualRegistrationOnly: 'By checking a box when they sign up',
    Manual: 'By checking a box at every sign-in and sign-up',
  },
  de: {
    lead: 'Die Anmeldeseiten verlinken diese Dokumente, und die Benutzer stimmen ihnen zu.',
    termsOfUseUrl: 'Adresse der Nutzungsbedingungen',
    privacyPolicyUrl: 'Adresse der Datenschutzerklärung',
    agreeToTermsPolicy: 'Wie Benutzer zustimmen',
    Automatic: 'Indem sie fortfahren',
    ManualRegistrationOnly: 'Durch ein Häkchen bei der Registrierung',
    Manual: 'Durch ein Häkchen bei jeder Anmeldung und Registrierung',
  },
})

/**
 * Edits the URLs of the operator's terms and privacy policy, and how users agree to them (spec/experience#terms).
 */
export function TermsSettings(form: SettingsForm) {
  const t = useT(termsPhrases, texts)
  const fields = bindSettings(form)
  return (
    <Card title={t('terms')} lead={t('lead')}>
      {(['termsOfUseUrl', 'privacyPolicyUrl'] as const).map((name) => (
        <TextField
          key={name}
          label={t(name)}
          type="url"
          placeholder="https://"
          {...fields.nullable(name)}
          onChange={(address) => form.change({ [name]: address.trim() || null })}
        />
      ))}
      <Select
        label={t('agreeToTermsPolicy')}
        {...fields.choice('agreeToTermsPolicy')}
        options={agreeToTermsPolicies.map((value) => ({ value, label: t(value) }))}
      />
    </Card>
  )
}
