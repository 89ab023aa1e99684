import type { ClaimTemplate } from '../../src/contract/applications/claim-template.ts'
import { useT } from '../phrases.ts'
import { useCan } from '../session/permissions.tsx'
import { JsonField, type JsonForm } from '../ui/json-field.tsx'
import { Card } from '../ui/page.tsx'
import { ClaimPaths, useAccountPolicies } from './claim-paths.tsx'
import { findEditablePaths } from './claim-template-paths.ts'
import { claimsPhrases } from './claims-phrases.ts'
import { ClaimsPreview } from './claims-preview.tsx'

type ClaimsForm = JsonForm & {
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
  const editable = findEditablePaths(template, policies)
  return (
    <Card title={t('claims')} lead={t(kind === 'application' ? 'applicationLead' : 'resourceLead')}>
      <JsonField<ClaimTemplate | null>
        label={t('template')}
        hint={t(isOwner ? 'templateHint' : 'ownersOnly')}
        form={form}
        field="claims"
        value={template}
        empty={null}
        isDisabled={isReadOnly || !isOwner}
        onChange={(claims) => form.change({ claims })}
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
      <ClaimsPreview path={path} template={template} isDisabled={Object.hasOwn(form.unread, 'claims')} />
    </Card>
  )
}
