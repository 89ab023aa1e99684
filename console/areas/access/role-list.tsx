import { Link } from 'wouter'
import type { z } from 'zod'
import type { ListedRoleSchema } from '../../../src/contract/access/roles.schema.ts'
import { useFormats, useT } from '../../phrases.ts'
import { CreateButton, useCreateEntity } from '../../ui/dialog-button.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { AccessPage } from './access-page.tsx'
import { texts } from './phrases.ts'

export function RoleList() {
  const t = useT(texts)
  const { number } = useFormats()
  const create = (
    <CreateButton
      text={t('newRole')}
      scope="roles:write"
      needsStepUp
      fields={[
        { name: 'name', label: t('name') },
        { name: 'description', label: t('description') },
      ]}
      onCreate={useCreateEntity('/roles', '/access/roles')}
    />
  )
  return (
    <AccessPage actions={create}>
      <PagedTable<z.infer<typeof ListedRoleSchema>>
        path="/roles"
        label={t('roles')}
        keyOf={({ id }) => id}
        columns={[
          { title: t('name'), cell: ({ id, name }) => <Link href={`/access/roles/${id}`}>{name}</Link> },
          { title: t('description'), cell: ({ description }) => description, isHiddenOnPhones: true },
          { title: t('users'), cell: ({ usersCount }) => number(usersCount), isNumber: true },
        ]}
      />
    </AccessPage>
  )
}
