import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import type { User } from '../../../src/contract/users/users.schema.ts'
import { listCall, type UserFilter } from '../../../src/domain/users/user-list.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan, usePermissions } from '../../session/permissions.tsx'
import { useDebounced } from '../../ui/fields.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { filterTexts } from './filter-phrases.ts'
import { formatUserName } from './name-of.ts'
import { texts } from './phrases.ts'
import { UserStatus } from './status.tsx'

const BulkActions = lazy(() => import('./bulk-actions.tsx'))

/** The time in milliseconds for which the user has to stop typing before the search starts. */
const DELAY_MS = 200

type UserTableProps = { filter: UserFilter; page: number; onPage: (page: number) => void }

/** The users that match a filter, page by page. Operators who may change users can select them. */
export function UserTable({ filter, page, onPage }: UserTableProps) {
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
