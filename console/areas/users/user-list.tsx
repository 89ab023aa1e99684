import { Link, useSearchParams } from 'wouter'
import type { User } from '../../../src/contract/users/users.schema.ts'
import { listCall, parseUserFilter, type UserFilter } from '../../../src/domain/users/user-list.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { CreateButton, useCreateEntity } from '../../ui/dialog-button.tsx'
import { Select, TextField, useDebounced } from '../../ui/fields.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { useRoles } from '../roles.ts'
import { formatUserName } from './name-of.ts'
import { texts } from './phrases.ts'
import { UserStatus } from './status.tsx'

/** How long, in milliseconds, the user has to stop typing before the search starts. */
const DELAY_MS = 200

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
  const { search, role, state } = filter
  const roles = useRoles()
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
      <search className="filters">
        <TextField
          label={t('search')}
          type="search"
          value={search}
          placeholder={t('searchHint')}
          onChange={(text) => updateQuery({ search: text, state })}
        />
        {roles && (
          <Select
            label={t('role')}
            value={role}
            options={[
              { value: '', label: t('any') },
              ...roles.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(chosen) => updateQuery({ role: chosen, state })}
          />
        )}
        <Select
          label={t('status')}
          value={state}
          options={[
            { value: '', label: t('any') },
            { value: 'active', label: t('active') },
            { value: 'suspended', label: t('suspended') },
          ]}
          onChange={(chosen) => updateQuery({ search, role, state: chosen })}
        />
      </search>
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

type UserTableProps = { filter: UserFilter; page: number; onPage: (page: number) => void }

function UserTable({ filter, page, onPage }: UserTableProps) {
  const t = useT(texts)
  const { date } = useFormats()
  const search = useDebounced(filter.search, DELAY_MS)
  const { path, query } = listCall({ ...filter, search })
  return (
    <PagedTable<User>
      path={path}
      query={query}
      at={{ page, onPage }}
      label={t('users')}
      keyOf={({ id }) => id}
      empty={<p>{t(filter.search ? 'noneMatches' : filter.role || filter.state ? 'noneFound' : 'none')}</p>}
      columns={[
        {
          title: t('name'),
          cell: (user) => (
            <>
              <Link href={`/users/${user.id}`}>{formatUserName(user)}</Link> <UserStatus user={user} />
            </>
          ),
        },
        { title: t('email'), cell: ({ primaryEmail }) => primaryEmail ?? '' },
        { title: t('username'), cell: ({ username }) => username ?? '', isHiddenOnPhones: true },
        {
          title: t('lastSignIn'),
          cell: ({ lastSignInAt }) => (lastSignInAt ? date(lastSignInAt) : t('never')),
          isHiddenOnPhones: true,
        },
        { title: t('created'), cell: ({ createdAt }) => date(createdAt), isHiddenOnPhones: true },
      ]}
    />
  )
}
