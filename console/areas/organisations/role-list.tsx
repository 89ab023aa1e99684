import { Link } from 'wouter'
import { OWNER_ROLE } from '../../../src/contract/organisations/organizations.ts'
import { useT } from '../../phrases.ts'
import { CreateButton, useCreateEntity } from '../../ui/dialog-button.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { AreaPage } from './area-page.tsx'
import type { OrganizationRole } from './organisation-roles.tsx'
import { templatePhrases } from './template-phrases.ts'

/** Lists the roles that all organisations share. */
export default function RoleList() {
  const t = useT(templatePhrases)
  const create = useCreateEntity('/organization-roles', '/organizations/~roles')
  return (
    <AreaPage
      actions={
        <CreateButton
          text={t('newRole')}
          scope="roles:write"
          needsStepUp
          fields={[
            { name: 'name', label: t('name') },
            { name: 'description', label: t('description') },
          ]}
          onCreate={create}
        />
      }
    >
      <p>{t('rolesLead')}</p>
      <PagedTable<OrganizationRole>
        path="/organization-roles"
        label={t('roles')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('name'),
            cell: ({ id, name }) => <Link href={`/organizations/~roles/${id}`}>{name}</Link>,
          },
          {
            title: t('description'),
            cell: ({ id, description }) => (id === OWNER_ROLE.id ? t('owner') : description),
            isHiddenOnPhones: true,
          },
        ]}
      />
    </AreaPage>
  )
}
