import { organizationModes } from '../../../src/contract/organisations/organizations.ts'
import { phrases, useT } from '../../phrases.ts'
import { Select } from '../../ui/fields.tsx'
import type { SettingsProps } from './application-form.ts'
import { CollapsibleCard } from './folded-card.tsx'

const texts = phrases({
  en: {
    lead: 'Whether users act for one of their organizations in this application.',
    mode: 'Users act for an organization',
    none: 'Never',
    optional: 'If they are a member of one',
    required: 'Always',
    noneHint: 'Requests for an organization are rejected.',
    optionalHint:
      'Users choose between their organizations and themselves. Without an organization, they aren’t asked.',
    requiredHint: 'Users without an organization can’t sign in to this application.',
  },
  de: {
    lead: 'Ob Benutzer in dieser Anwendung für eine ihrer Organisationen handeln.',
    mode: 'Benutzer handeln für eine Organisation',
    none: 'Nie',
    optional: 'Wenn sie in einer Mitglied sind',
    required: 'Immer',
    noneHint: 'Anfragen für eine Organisation werden abgelehnt.',
    optionalHint:
      'Benutzer wählen zwischen ihren Organisationen und sich selbst. Wer keine Organisation hat, wird nicht gefragt.',
    requiredHint: 'Benutzer ohne Organisation können sich bei dieser Anwendung nicht anmelden.',
  },
})

/** Edits whether users of the application act for organisations (spec/organisations#application-setting). */
export default function OrganizationsCard({ application, custom }: SettingsProps) {
  const t = useT(texts)
  const { dynamicRegistration, organizationMode } = application.customClientMetadata
  // No operator has decided about a client that registered itself.
  const mode = organizationMode ?? (dynamicRegistration ? 'optional' : 'none')
  return (
    <CollapsibleCard title={t('organizations')} lead={t('lead')}>
      <Select
        label={t('mode')}
        {...custom.choice('organizationMode')}
        hint={t(`${mode}Hint`)}
        value={mode}
        options={organizationModes.map((value) => ({ value, label: t(value) }))}
      />
    </CollapsibleCard>
  )
}
