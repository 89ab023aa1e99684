import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { z } from 'zod'
import type { ListedRoleSchema, RoleSchema } from '../../../src/contract/roles.schema.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { CreateDialog } from '../../ui/create-dialog.tsx'
import { Loading, Page } from '../../ui/page.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { AccessTabs } from './access-tabs.tsx'
import { texts } from './phrases.ts'

type ListedRole = z.infer<typeof ListedRoleSchema>

const PAGE_SIZE = 20

export function RoleList() {
  const t = useT(texts)
  const { number } = useFormats()
  const mayWrite = useMay('roles:write')
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const { data, error, refetch } = useApi<ListedRole[]>('/roles', { query: { page, page_size: PAGE_SIZE } })
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        mayWrite && (
          <Button kind="primary" onPress={() => setCreating(true)}>
            {t('newRole')}
          </Button>
        )
      }
    >
      <AccessTabs />
      {data ? (
        <>
          <Table
            label={t('roles')}
            rows={data.data}
            keyOf={({ id }) => id}
            columns={[
              { title: t('name'), cell: ({ id, name }) => <Link href={`/access/roles/${id}`}>{name}</Link> },
              { title: t('description'), cell: ({ description }) => description, isHiddenOnPhones: true },
              { title: t('users'), cell: ({ usersCount }) => number(usersCount), isNumber: true },
            ]}
          />
          <Pager page={page} pageSize={PAGE_SIZE} {...data} length={data.data.length} onPage={setPage} />
        </>
      ) : (
        <Loading failure={error} onRetry={refetch} />
      )}
      {isCreating && <NewRole onClose={() => setCreating(false)} />}
    </Page>
  )
}

function NewRole({ onClose }: { onClose: () => void }) {
  const t = useT(texts)
  const change = useChange()
  const [, go] = useLocation()
  return (
    <CreateDialog
      title={t('newRole')}
      action={t('create')}
      fields={[
        { name: 'name', label: t('name') },
        { name: 'description', label: t('description') },
      ]}
      onClose={onClose}
      onCreate={async (body) => {
        const { data } = await change<z.infer<typeof RoleSchema>>('/roles', { method: 'POST', body })
        go(`/access/roles/${data.id}`)
      }}
    />
  )
}
