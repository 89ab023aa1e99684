import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { User } from '../../../src/contract/users/users.schema.ts'
import { listCall, parseUserFilter, type UserFilter } from '../../../src/domain/users/user-list.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan, usePermissions } from '../../session/permissions.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { CreateButton, useCreateEntity } from '../../ui/dialog-button.tsx'
import { useDebounced } from '../../ui/fields.tsx'
import { Page } from '../../ui/page.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { filterTexts } from './filter-phrases.ts'
import { formatUserName } from './name-of.ts'
import { texts } from './phrases.ts'
import { UserStatus } from './status.tsx'
import { UserFilters } from './user-filters.tsx'

const BulkActions = lazy(() => import('./bulk-actions.tsx'))

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
  return (
    <Page
      title={t('users')}
      lead={t('lead')}
      actions={
        <>
          {mayInvite && <ButtonLink href="/access/administrators">{t('inviteAdministrator')}</ButtonLink>}
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

type UserTableProps = { filter: UserFilter; page: number; onPage: (page: number) => void }

function UserTable({ filter, page, onPage }: UserTableProps) {
  const t = useT(texts, filterTexts)
  const { date } = useFormats()
  const search = useDebounced(filter.search, DELAY_MS)
  const { path, query } = listCall({ ...filter, search }, Date.now())
  const selection = useUserSelection()
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return (
    <PagedTable<User>
      path={path}
      query={query}
      at={{ page, onPage }}
      label={t('users')}
      keyOf={({ id }) => id}
      empty={<p>{t(filter.search ? 'noneMatches' : isFiltered ? 'noneFound' : 'none')}</p>}
      showsTotal
      above={(users) =>
        selection.isOffered && (
          <Suspense>
            <BulkActions users={users.filter(({ id }) => selection.ids.has(id))} onDone={selection.clear} />
          </Suspense>
        )
      }
      columns={(users) => [
        ...(selection.isOffered ? [selection.columnOf(users)] : []),
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

/** Keeps the selected users. Operators can't select themselves, so that they don't lock themselves out by mistake. */
function useUserSelection() {
  const t = useT(texts, filterTexts)
  const isOffered = useCan('users:write')
  const { userId: ownId } = usePermissions()
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const select = (changed: readonly User[], isSelected: boolean) => {
    const next = new Set(ids)
    for (const { id } of changed) isSelected ? next.add(id) : next.delete(id)
    setIds(next)
  }
  const columnOf = (users: readonly User[]): Column<User> => {
    const selectable = users.filter(({ id }) => id !== ownId)
    const isAll = selectable.length > 0 && selectable.every(({ id }) => ids.has(id))
    return {
      title: t('select'),
      heading: (
        <input
          type="checkbox"
          aria-label={t('selectAll')}
          checked={isAll}
          disabled={selectable.length === 0}
          onChange={() => select(selectable, !isAll)}
        />
      ),
      cell: (user) => (
        <input
          type="checkbox"
          aria-label={t('selectUser', { name: formatUserName(user) })}
          checked={ids.has(user.id)}
          disabled={user.id === ownId}
          onChange={({ target }) => select([user], target.checked)}
        />
      ),
    }
  }
  return { isOffered, ids, columnOf, clear: () => setIds(new Set()) }
}
