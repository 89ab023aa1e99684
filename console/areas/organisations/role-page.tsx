import { OWNER_ROLE, organizationPermissions } from '../../../src/contract/organisations/organizations.ts'
import { useEntityForm } from '../../api/entity-form.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { bindFields } from '../../ui/bound.ts'
import { DeleteButton } from '../../ui/dialog-button.tsx'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { useFieldNames } from '../../ui/label-of.ts'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import type { OrganizationRole } from './organisation-roles.tsx'
import { RoleScopes } from './role-scopes.tsx'
import { type LinkedScopes, scopesAccess } from './scopes-access.ts'
import { templatePhrases } from './template-phrases.ts'

/** The page of a role of organisations. Of the built-in role of owners, only the scopes can be changed. */
export default function RolePage({ id }: { id: string }) {
  const t = useT(templatePhrases)
  const nameOf = useFieldNames([templatePhrases])
  const path = `/organization-roles/${encodeURIComponent(id)}`
  const form = useEntityForm<OrganizationRole>(path)
  const scopes = useEntityForm<LinkedScopes>(`${path}/permissions`, { access: scopesAccess(path) })
  const mayWrite = useCan('roles:write')
  const { value, stored } = form
  if (!value || !stored) return <Loading failure={form.failure} onRetry={form.retry} />
  const isOwners = id === OWNER_ROLE.id
  const isDisabled = !mayWrite || isOwners
  const problems = form.problem?.fields ?? {}
  const fields = bindFields({ value, problems, isDisabled, change: form.change })
  return (
    <Page
      title={stored.name}
      lead={isOwners ? t('owner') : undefined}
      parent={{ href: '/organizations/~roles', title: t('roles') }}
      actions={
        !isDisabled && (
          <DeleteButton
            title={t('deleteRole', { name: stored.name })}
            lead={t('deleteRoleLead')}
            confirmationText={stored.name}
            path={path}
            back="/organizations/~roles"
            alsoChanged={['/organizations']}
          />
        )
      }
    >
      {!isOwners && (
        <Card>
          <TextField label={t('name')} {...fields.text('name')} />
          <TextField label={t('description')} {...fields.nullable('description')} />
        </Card>
      )}
      <Card title={t('administration')} lead={t('administrationLead')}>
        {organizationPermissions.map((permission) => (
          <Checkbox
            key={permission}
            label={t(permission)}
            isDisabled={isDisabled}
            isSelected={value.permissions.includes(permission)}
            onChange={(isSelected) =>
              form.change({
                permissions: organizationPermissions.filter((each) =>
                  each === permission ? isSelected : value.permissions.includes(each),
                ),
              })
            }
          />
        ))}
      </Card>
      <RoleScopes form={scopes} mayWrite={mayWrite} />
      <div className="save-bars">
        <SaveBar form={form} nameOf={nameOf} />
        <SaveBar form={scopes} nameOf={(key) => key.slice(key.indexOf('/') + 1)} about={t('scopes')} />
      </div>
    </Page>
  )
}
