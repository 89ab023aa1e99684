import { useQuery } from '@tanstack/react-query'
import type { SettingsChange } from '../../../operator/config/change.ts'
import { describeAsConfig } from '../../../operator/config/describe.ts'
import { planChanges } from '../../../operator/config/plan.ts'
import { actionSigns, formatChangePath, formatFieldLine } from '../../../operator/config/plan-lines.ts'
import { createSecretPathTest, createWithheldPathTest } from '../../../operator/config/secret-places.ts'
import { toTypeScript } from '../../../operator/config/write.ts'
import { useDrafts } from '../../api/drafts.ts'
import { phrases, useT } from '../../phrases.ts'
import { hasScope, usePermissions } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { ManagedCard } from './managed-card.tsx'
import { REQUIRED_SCOPES, readTenant } from './read-state.ts'
import { applyDrafts } from './with-drafts.ts'

const texts = phrases({
  en: {
    lead: 'This tenant’s settings as a file that you can review, keep in version control and apply elsewhere.',
    unsavedLead:
      'What your unsaved changes in this browser would do, in the format of “npm run config -- plan”.',
    none: 'You have no unsaved changes.',
    file: 'Settings file',
    fileLead:
      'Includes your unsaved changes. Save it as vestibule.config.ts, then run “npm run config -- apply”. It reads secrets from environment variables.',
    download: 'Download',
    variables: 'Environment variables for secrets',
    unread: 'Your roles don’t let you read all settings',
    unreadLead:
      'A plan or a file based on only some settings would be wrong: the settings that you can’t read would seem not to exist. Your roles don’t include these permissions:',
  },
  de: {
    lead: 'Die Einstellungen dieses Mandanten als Datei: zum Prüfen, für die Versionsverwaltung und für andere Installationen.',
    unsavedLead:
      'Was die nicht gespeicherten Änderungen in diesem Browser bewirken würden: der Plan von „npm run config -- plan“.',
    none: 'Es gibt keine nicht gespeicherten Änderungen.',
    file: 'Einstellungsdatei',
    fileLead:
      'Enthält die nicht gespeicherten Änderungen. Speichern Sie sie als vestibule.config.ts und führen Sie „npm run config -- apply“ aus. Secrets werden aus Variablen gelesen.',
    download: 'Herunterladen',
    variables: 'Variablen für Secrets',
    unread: 'Ihre Rollen lassen Sie nicht alle Einstellungen lesen',
    unreadLead:
      'Ein Plan oder eine Datei aus nur einem Teil davon wäre falsch: Was sich nicht lesen lässt, sähe aus, als gäbe es es nicht. Ihren Rollen fehlen diese Berechtigungen:',
  },
})

const FILE = 'vestibule.config.ts'
const FILE_HELPERS = './operator/config/define-config.ts'

/**
 * Shows the whole tenant, or nothing if the user can't read all of it: the plan would treat unreadable settings as
 * missing.
 */
export default function AsCode() {
  const t = useT(texts)
  const { scopes } = usePermissions()
  const missingScopes = REQUIRED_SCOPES.filter((scope) => !hasScope(scopes, scope))
  if (missingScopes.length === 0) return <WholeState />
  return (
    <Page title={t('asCode')} lead={t('lead')}>
      <Card title={t('unread')}>
        <p>
          {t('unreadLead')} <code>{missingScopes.join(', ')}</code>
        </p>
      </Card>
    </Page>
  )
}

/** Passes the API's responses to the same functions as the command line does (ADR-0018). */
function WholeState() {
  const t = useT(texts)
  const drafts = useDrafts()
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: ['as-code'],
    queryFn: readTenant,
    staleTime: 0,
  })
  if (!data) return <Loading failure={error} onRetry={refetch} />
  const { state, factories } = data
  const desired = applyDrafts(state, drafts)
  const isSecret = createSecretPathTest(factories, state, desired)
  const changes = planChanges(state, desired, {
    secrets: new Map(),
    isSecret,
    isWithheld: createWithheldPathTest(state, isSecret),
    updateSecrets: false,
  })
  const { config, variables } = describeAsConfig({ state: desired, factories })
  const file = toTypeScript(config, { variables, helpers: FILE_HELPERS })
  return (
    <Page title={t('asCode')} lead={t('lead')}>
      <ManagedCard tenant={data} readAt={dataUpdatedAt} />
      <Card title={t('unsaved')} lead={t('unsavedLead')}>
        {changes.length === 0 ? <p>{t('none')}</p> : <PlanView changes={changes} />}
      </Card>
      <Card title={t('file')} lead={t('fileLead')}>
        {variables.length > 0 && (
          <p>
            {t('variables')}: <code>{variables.join(', ')}</code>
          </p>
        )}
        <div className="actions">
          <Button onPress={() => saveFile(FILE, [file], 'text/plain')}>{t('download')}</Button>
        </div>
        <Copyable label={FILE} value={file} isBlock />
      </Card>
    </Page>
  )
}

/** Shows the plan as `npm run config -- plan` prints it. */
function PlanView({ changes }: { changes: readonly SettingsChange[] }) {
  return (
    <ul className="plan">
      {changes.map((change) => (
        <li key={`${change.section}/${change.id}/${change.action}`}>
          <code>
            {actionSigns[change.action]} {formatChangePath(change)}
          </code>
          <ul>
            {change.fields.map((field) => (
              <li key={field.path.join('.')}>
                <code>{formatFieldLine(field, change.action)}</code>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
