import { useState } from 'react'
import type { z } from 'zod'
import type { ScopeSchema } from '../../../src/contract/resources.schema.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { CreateDialog } from '../../ui/create-dialog.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { texts } from './phrases.ts'

type Scope = z.infer<typeof ScopeSchema>

const PAGE_SIZE = 20

export function ApiPermissions({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const t = useT(texts)
  const change = useChange()
  const path = `/resources/${id}/scopes`
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const [deleted, setDeleted] = useState<Scope | null>(null)
  const { data, error, refetch } = useApi<Scope[]>(path, { query: { page, page_size: PAGE_SIZE } })
  const invalidates = [path, '/resources']
  return (
    <Card
      title={t('permissions')}
      lead={t('permissionsLead')}
      actions={mayWrite && <Button onPress={() => setCreating(true)}>{t('newPermission')}</Button>}
    >
      {data ? (
        <>
          <Table
            label={t('permissions')}
            rows={data.data}
            keyOf={(scope) => scope.id}
            columns={[
              { title: t('permission'), cell: ({ name }) => <code>{name}</code> },
              { title: t('description'), cell: ({ description }) => description, isHiddenOnPhones: true },
              {
                title: t('delete'),
                cell: (scope) =>
                  mayWrite && (
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
          <Pager page={page} pageSize={PAGE_SIZE} {...data} length={data.data.length} onPage={setPage} />
        </>
      ) : (
        <Loading failure={error} onRetry={refetch} />
      )}
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
