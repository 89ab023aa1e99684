import { Fragment } from 'react'
import type { ClaimTemplate } from '../../src/contract/applications/claim-template.ts'
import { DEFAULT_TENANT_SETTINGS, type TenantSettings } from '../../src/contract/tenants/settings.ts'
import { isEditableByUser } from '../../src/domain/applications/claim-paths.ts'
import type { EntityForm } from '../api/entity-form.ts'
import { findProblem } from '../api/problem.ts'
import { useApi } from '../api/queries.ts'
import { useTypedText } from '../api/typed-text.ts'
import { useT } from '../phrases.ts'
import { useCan } from '../session/permissions.tsx'
import { Copyable } from '../ui/copy.tsx'
import { TextField } from '../ui/fields.tsx'
import { Card } from '../ui/page.tsx'
import {
  exampleTemplate,
  explainedPaths,
  findEditablePaths,
  formatTemplate,
  parseTemplate,
} from './claim-template-paths.ts'
import { claimsPhrases } from './claims-phrases.ts'
import { ClaimsPreview } from './claims-preview.tsx'

type ClaimsForm = Pick<EntityForm<Record<string, unknown>>, 'unread' | 'setUnread' | 'problem'> & {
  value: { claims: ClaimTemplate | null } | undefined
  change: (changes: { claims: ClaimTemplate | null }) => void
}

type ClaimsCardProps = {
  kind: 'application' | 'resource'
  /** The path of the application or resource in the API. */
  path: string
  form: ClaimsForm
  isReadOnly: boolean
}

/** Edits the template of additional claims of an application or an API, and previews it (spec/console#claims). */
export function ClaimsCard({ kind, path, form, isReadOnly }: ClaimsCardProps) {
  const t = useT(claimsPhrases)
  const isOwner = useCan('all')
  const policies = useAccountPolicies()
  const template = form.value?.claims ?? null
  const { text, isUnread, change } = useTypedText<ClaimTemplate | null>({
    form,
    field: 'claims',
    value: template,
    read: parseTemplate,
    write: formatTemplate,
    onChange: (claims) => form.change({ claims }),
  })
  const editable = findEditablePaths(template, policies)
  return (
    <Card title={t('claims')} lead={t(kind === 'application' ? 'applicationLead' : 'resourceLead')}>
      <TextField
        label={t('template')}
        hint={t(isOwner ? 'templateHint' : 'ownersOnly')}
        rows={Math.min(24, Math.max(4, text.split('\n').length + 1))}
        isCode
        value={text}
        isDisabled={isReadOnly || !isOwner}
        problem={isUnread ? t('notJson') : findProblem(form.problem?.fields ?? {}, 'claims')}
        onChange={change}
      />
      {editable.length > 0 && (
        <div className="alert" role="status">
          <p>{t('editableLead')}</p>
          <ul>
            {editable.map((each) => (
              <li key={each}>
                <code>{each}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Paths policies={policies} />
      <ClaimsPreview path={path} template={template} isDisabled={isUnread} />
    </Card>
  )
}

/** The example and the list of paths, with a mark at those that users can edit. */
function Paths({ policies }: { policies: ReturnType<typeof useAccountPolicies> }) {
  const t = useT(claimsPhrases)
  return (
    <details className="more">
      <summary>{t('paths')}</summary>
      <Copyable label={t('example')} value={formatTemplate(exampleTemplate)} isBlock />
      <p className="hint">{t('pathsLead')}</p>
      <dl className="facts">
        {explainedPaths.map(({ path, root }) => (
          <Fragment key={path}>
            <dt>
              <code>{path}</code>
            </dt>
            <dd>
              {t(root)} {isEditableByUser(path, policies) && <span className="tag">{t('usersCanEdit')}</span>}
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  )
}

/**
 * Returns what users can change about their accounts. Without the scope to read it, the console assumes that they can
 * change everything.
 */
function useAccountPolicies() {
  const mayRead = useCan('settings:read')
  const { data } = useApi<TenantSettings>('/configs/settings', { isEnabled: mayRead })
  return (data?.data ?? DEFAULT_TENANT_SETTINGS).accountCentre
}
