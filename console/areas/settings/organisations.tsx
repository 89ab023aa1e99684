import { phrases, useT } from '../../phrases.ts'
import { Switch, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import type { SettingsPart } from './settings-form.ts'

/** The phrases about the settings of organisations. The names of fields are their paths in the API. */
export const organizationPhrases = phrases({
  en: {
    'organizations.usersMayCreate': 'Let users create organizations in the account center',
    usersMayCreateHint:
      'Users own the organizations that they create. Administrators can always create them.',
    'organizations.mostPerUser': 'How many organizations a user can create (1 to 100)',
    'organizations.accessTokenTtl': 'Longest lifetime of access tokens for an organization (seconds)',
    accessTokenTtlHint:
      'From 60 to 86400. Former members can use an access token until it expires; everything else ends at once.',
  },
  de: {
    'organizations.usersMayCreate': 'Benutzer im Kontobereich Organisationen erstellen lassen',
    usersMayCreateHint:
      'Benutzern gehören die Organisationen, die sie erstellen. Administratoren können immer welche erstellen.',
    'organizations.mostPerUser': 'Wie viele Organisationen ein Benutzer erstellen kann (1 bis 100)',
    'organizations.accessTokenTtl': 'Längste Gültigkeit von Access-Tokens für eine Organisation (Sekunden)',
    accessTokenTtlHint:
      'Von 60 bis 86400. Ehemalige Mitglieder können ein Access-Token bis zu seinem Ablauf nutzen; alles andere endet sofort.',
  },
})

/** Edits the settings of organisations of the tenant (spec/organisations#settings). */
export function OrganizationSettings({ fieldsIn, reason }: SettingsPart) {
  const t = useT(organizationPhrases)
  const fields = fieldsIn('organizations')
  return (
    <Card title={t('organizations')} lead={reason('organizations')}>
      <Switch
        label={t('organizations.usersMayCreate')}
        hint={t('usersMayCreateHint')}
        {...fields.flag('usersMayCreate')}
      />
      <TextField label={t('organizations.mostPerUser')} {...fields.number('mostPerUser')} />
      <TextField
        label={t('organizations.accessTokenTtl')}
        hint={t('accessTokenTtlHint')}
        {...fields.number('accessTokenTtl')}
      />
    </Card>
  )
}
