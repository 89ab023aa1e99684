import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { z } from 'zod'
import type { ListedRoleSchema, RoleSchema } from '../../../src/contract/access/roles.schema.ts'
import { useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { CreateDialog } from '../../ui/create-dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { AccessTabs } from './access-tabs.tsx'
import { texts } from './phrases.ts'

type ListedRole = z.infer<typeof ListedRoleSchema>

export function RoleList() {
  const t = useT(texts)
  const { number } = useFormats()
  const mayWrite = useMay('roles:write')
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      title={t('access')}
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
      <PagedTable<ListedRole>
        path="/roles"
        label={t('roles')}
        keyOf={({ id }) => id}
        columns={[
          { title: t('name'), cell: ({ id, name }) => <Link href={`/access/roles/${id}`}>{name}</Link> },
          { title: t('description'), cell: ({ description }) => description, isHiddenOnPhones: true },
          { title: t('users'), cell: ({ usersCount }) => number(usersCount), isNumber: true },
        ]}
      />
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
      needsRecentSignIn
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
