import type { ClaimTemplate } from '../../src/contract/applications/claim-template.ts'
import type { EntityForm } from '../api/entity-form.ts'
import { findProblem } from '../api/problem.ts'
import { useTypedText } from '../api/typed-text.ts'
import { useT } from '../phrases.ts'
import { useCan } from '../session/permissions.tsx'
import { TextField } from '../ui/fields.tsx'
import { Card } from '../ui/page.tsx'
import { ClaimPaths, useAccountPolicies } from './claim-paths.tsx'
import { findEditablePaths, formatTemplate, parseTemplate } from './claim-template-paths.ts'
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
export default function ClaimsCard({ kind, path, form, isReadOnly }: ClaimsCardProps) {
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
      <ClaimPaths policies={policies} />
      <ClaimsPreview path={path} template={template} isDisabled={isUnread} />
    </Card>
  )
}
