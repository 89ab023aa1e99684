import type { z } from 'zod'
import { managementScopeNames } from '../../../src/contract/access/management-scopes.ts'
import type { ScopeSchema } from '../../../src/contract/access/resources.schema.ts'
import { MANAGEMENT_RESOURCE, SERVICE_SCOPES, SERVICES_RESOURCE } from '../../../src/contract/product.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { CreateButton, useRemovalColumn } from '../../ui/dialog-button.tsx'
import { Card } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { texts } from './phrases.ts'

type Scope = z.infer<typeof ScopeSchema>

/** Their names and their places are kept (spec/management#internal-resources). */
const isOfProduct = (apiId: string, name: string): boolean =>
  (apiId === MANAGEMENT_RESOURCE.id && managementScopeNames.some((each) => each === name)) ||
  (apiId === SERVICES_RESOURCE.id && SERVICE_SCOPES.some((each) => each.name === name))

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
    isOffered: ({ name }) => mayWrite && !isOfProduct(id, name),
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
