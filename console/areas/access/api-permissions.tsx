import { useState } from 'react'
import type { z } from 'zod'
import { managementScopeNames } from '../../../src/contract/access/management-scopes.ts'
import type { ScopeSchema } from '../../../src/contract/access/resources.schema.ts'
import { MANAGEMENT_RESOURCE, SERVICE_SCOPES, SERVICES_RESOURCE } from '../../../src/contract/product.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { CreateDialog } from '../../ui/create-dialog.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
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
  const [isCreating, setCreating] = useState(false)
  const [deleted, setDeleted] = useState<Scope | null>(null)
  const invalidates = [path, '/resources']
  return (
    <Card
      title={t('permissions')}
      lead={t('permissionsLead')}
      actions={mayWrite && <Button onPress={() => setCreating(true)}>{t('newPermission')}</Button>}
    >
      <PagedTable<Scope>
        path={path}
        label={t('permissions')}
        keyOf={(scope) => scope.id}
        columns={[
          { title: t('permission'), cell: ({ name }) => <code>{name}</code> },
          { title: t('description'), cell: ({ description }) => description, isHiddenOnPhones: true },
          {
            title: t('delete'),
            cell: (scope) =>
              mayWrite &&
              !isOfProduct(id, scope.name) && (
                <Button
                  kind="quiet"
                  aria-label={t('deletePermission', { name: scope.name })}
                  onPress={() => setDeleted(scope)}
                >
                  {t('delete')}
                </Button>
              ),
          },
        ]}
      />
      {isCreating && (
        <CreateDialog
          title={t('newPermission')}
          action={t('create')}
          fields={[
            { name: 'name', label: t('permission'), hint: t('permissionHint'), isCode: true },
            { name: 'description', label: t('description') },
          ]}
          onClose={() => setCreating(false)}
          onCreate={async (body) => {
            await change(path, { method: 'POST', body, invalidates })
            setCreating(false)
          }}
        />
      )}
      {deleted && (
        <ConfirmDialog
          title={t('deletePermission', { name: deleted.name })}
          lead={t('deletePermissionLead')}
          action={t('delete')}
          onClose={() => setDeleted(null)}
          onConfirm={() => change(`${path}/${deleted.id}`, { method: 'DELETE', invalidates })}
        />
      )}
    </Card>
  )
}
