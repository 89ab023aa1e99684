import type { z } from 'zod'
import { managementScopeNames } from '../../../src/contract/access/management-scopes.ts'
import type { ScopeSchema } from '../../../src/contract/access/resources.schema.ts'
import { MANAGEMENT_RESOURCE, SERVICE_SCOPES, SERVICES_RESOURCE } from '../../../src/contract/product.ts'
import { useEntityForm } from '../../api/entity-form.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { bindFields } from '../../ui/bound.ts'
import { CreateButton, DeleteButton, useRemovalColumn } from '../../ui/dialog-button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useFieldNames } from '../../ui/label-of.ts'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { PagedTable } from '../../ui/table.tsx'
import type { Api } from './api-list.tsx'
import { texts } from './phrases.ts'
import { isBuiltIn } from './role-permissions.tsx'

export function ApiPage({ id }: { id: string }) {
  const t = useT(texts)
  const nameOf = useFieldNames([texts])
  const form = useEntityForm<Api>(`/resources/${id}`)
  const mayWrite = [useCan('roles:write'), useCan('all') || !isBuiltIn(id)].every(Boolean)
  const { value, stored } = form
  if (!value || !stored) return <Loading failure={form.failure} onRetry={form.retry} />
  const fields = bindFields({
    value,
    problems: form.problem?.fields ?? {},
    isDisabled: !mayWrite,
    change: form.change,
  })
  return (
    <Page
      title={stored.name}
      parent={{ href: '/access/apis', title: t('apis') }}
      actions={
        mayWrite &&
        !isBuiltIn(id) && (
          <DeleteButton
            title={t('deleteApi', { name: stored.name })}
            lead={t('deleteApiLead')}
            confirmationText={stored.name}
            path={`/resources/${id}`}
            back="/access/apis"
          />
        )
      }
    >
      <Card>
        <TextField label={t('name')} {...fields.text('name')} />
        <TextField
          label={t('indicator')}
          hint={t('indicatorHint')}
          isCode
          {...fields.text('indicator')}
          isDisabled={!mayWrite || isBuiltIn(id)}
        />
        <TextField label={t('accessTokenTtl')} {...fields.number('accessTokenTtl')} />
      </Card>
      <SaveBar form={form} nameOf={nameOf} />
      <ApiPermissions id={id} mayWrite={mayWrite} />
    </Page>
  )
}

type Scope = z.infer<typeof ScopeSchema>

/**
 * Whether a scope belongs to the product. Such scopes keep their names and can't be deleted
 * (spec/management#internal-resources).
 */
const isProductScope = (apiId: string, name: string): boolean =>
  (apiId === MANAGEMENT_RESOURCE.id && managementScopeNames.some((each) => each === name)) ||
  (apiId === SERVICES_RESOURCE.id && SERVICE_SCOPES.some((each) => each.name === name))

function ApiPermissions({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const t = useT(texts)
  const change = useChange()
  const path = `/resources/${id}/scopes`
  const invalidates = [path, '/resources']
  const [removal, question] = useRemovalColumn<Scope>({
    heading: t('delete'),
    action: t('delete'),
    label: ({ name }) => t('deletePermission', { name }),
    lead: t('deletePermissionLead'),
    isOffered: ({ name }) => mayWrite && !isProductScope(id, name),
    onConfirm: (scope) => change(`${path}/${scope.id}`, { method: 'DELETE', invalidates }),
  })
  const create = mayWrite && (
    <CreateButton
      kind="plain"
      text={t('newPermission')}
      scope="roles:write"
      fields={[
        { name: 'name', label: t('permission'), hint: t('permissionHint'), isCode: true },
        { name: 'description', label: t('description') },
      ]}
      onCreate={async (body, close) => {
        await change(path, { method: 'POST', body, invalidates })
        close()
      }}
    />
  )
  return (
    <Card title={t('permissions')} lead={t('permissionsLead')} actions={create}>
      <PagedTable<Scope>
        path={path}
        label={t('permissions')}
        keyOf={(scope) => scope.id}
        columns={[
          { title: t('permission'), cell: ({ name }) => <code>{name}</code> },
          { title: t('description'), cell: ({ description }) => description, isHiddenOnPhones: true },
          removal,
        ]}
      />
      {question}
    </Card>
  )
}
