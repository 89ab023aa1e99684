import { managementScopeNames } from '../../../src/contract/access/management-scopes.ts'
import { MANAGEMENT_RESOURCE, SERVICE_SCOPES, SERVICES_RESOURCE } from '../../../src/contract/product.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { CreateButton, useRemovalColumn } from '../../ui/dialog-button.tsx'
import { Card } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { PERMISSIONS_ID, type Scope } from './api-list.tsx'
import { texts } from './phrases.ts'

/**
 * Tells whether a scope belongs to the product. Such scopes keep their names and can't be deleted
 * (spec/management#internal-resources).
 */
const isProductScope = (apiId: string, name: string): boolean =>
  (apiId === MANAGEMENT_RESOURCE.id && managementScopeNames.some((each) => each === name)) ||
  (apiId === SERVICES_RESOURCE.id && SERVICE_SCOPES.some((each) => each.name === name))

/** Lists the permissions (scopes) of an API, and adds and removes them. */
export function ApiPermissions({ id, mayWrite }: { id: string; mayWrite: boolean }) {
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
    <Card id={PERMISSIONS_ID} title={t('permissions')} lead={t('permissionsLead')} actions={create}>
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
