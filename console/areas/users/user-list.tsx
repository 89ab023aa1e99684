import { useSearchParams } from 'wouter'
import type { User } from '../../../src/contract/users/users.schema.ts'
import { parseUserFilter } from '../../../src/domain/users/user-list.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { CreateButton, useCreateEntity } from '../../ui/dialog-button.tsx'
import { Page } from '../../ui/page.tsx'
import { texts } from './phrases.ts'
import { UserFilters } from './user-filters.tsx'
import { UserTable } from './user-table.tsx'

/** The filter is part of the URL, so that going back from a user's page restores it. */
export function UserList() {
  const t = useT(texts)
  const mayWrite = useCan('users:write')
  const mayInvite = useCan('all')
  const [query, setQuery] = useSearchParams()
  const create = useCreateEntity('/users', '/users')
  const updateQuery = (next: Record<string, string>) =>
    setQuery(new URLSearchParams(withoutEmpty(next)), { replace: true })
  const filter = parseUserFilter(query)
  return (
    <Page
      title={t('users')}
      lead={t('lead')}
      actions={
        <>
          {mayInvite && <ButtonLink href="/access/administrators">{t('inviteAdministrator')}</ButtonLink>}
          {mayWrite && <ButtonLink href="/users/invitations">{t('inviteUsers')}</ButtonLink>}
          <ButtonLink href="/users/export">{t('export')}</ButtonLink>
          {mayWrite && <ButtonLink href="/users/import">{t('import')}</ButtonLink>}
          <CreateButton<keyof User | 'password'>
            text={t('createUser')}
            action={t('createUser')}
            scope="users:write"
            needsStepUp
            fields={[
              { name: 'name', label: t('name') },
              { name: 'primaryEmail', label: t('email'), type: 'email' },
              { name: 'username', label: t('username') },
              { name: 'primaryPhone', label: t('phone'), hint: t('phoneHint'), type: 'tel' },
              {
                name: 'password',
                label: t('password'),
                hint: t('newPasswordHint'),
                type: 'password',
                autoComplete: 'new-password',
              },
            ]}
            onCreate={(values) => create(withoutEmpty(values))}
          />
        </>
      }
    >
      <UserFilters filter={filter} onChange={(changes) => updateQuery({ ...filter, ...changes })} />
      <UserTable
        filter={filter}
        page={Number(query.get('page') ?? 1)}
        onPage={(page) => updateQuery({ ...filter, page: String(page) })}
      />
    </Page>
  )
}

const withoutEmpty = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
