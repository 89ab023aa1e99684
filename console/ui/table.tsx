import { type ReactNode, useState } from 'react'
import { useApi } from '../api/queries.ts'
import { useFormats, useT } from '../phrases.ts'
import type { ApiName } from '../session/session.ts'
import { Button } from './button.tsx'
import { Empty, Loading } from './page.tsx'

export type Column<T> = {
  title: string
  /** The content of the heading, if it isn't the title. */
  heading?: ReactNode
  cell: (row: T) => ReactNode
  isNumber?: boolean
  isHiddenOnPhones?: boolean
}

/** A table whose first column names the row and usually links to its page. */
export function Table<T>({
  label,
  columns,
  rows,
  keyOf,
  empty,
}: {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
  empty?: ReactNode
}) {
  if (rows.length === 0) return <Empty>{empty}</Empty>
  const classOf = ({ isNumber, isHiddenOnPhones }: Column<T>) =>
    [isNumber && 'number', isHiddenOnPhones && 'wide-only'].filter(Boolean).join(' ')
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" className={classOf(column)}>
              {column.heading ?? column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.title} className={classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/**
 * The pager of a list. `total` is the count returned by the API, and `isCapped` means that there are more entries
 * (spec/management#totals).
 */
function Pager({
  page,
  pageSize,
  total,
  isCapped,
  length,
  onPage,
  showsTotal = false,
}: {
  page: number
  pageSize: number
  total: number | null
  isCapped: boolean
  /** The number of rows on the current page. */
  length: number
  onPage: (page: number) => void
  /** Shows the total of a list that has a single page, too. */
  showsTotal?: boolean
}) {
  const t = useT()
  const { number } = useFormats()
  const pages = Math.max(1, Math.ceil((total ?? 0) / pageSize))
  const hasNext = isCapped ? length === pageSize : page < pages
  const isSinglePage = page === 1 && !hasNext
  if (isSinglePage && !showsTotal) return null
  const isIncomplete = isCapped && (total ?? 0) < MAX_LIST_COUNT
  const phrase = isIncomplete ? 'totalExamined' : isCapped ? 'totalCapped' : 'total'
  return (
    <nav className="pager" aria-label={t('page', { page, pages })}>
      <span>{t(phrase, { total: number(total ?? 0), examined: number(MAX_LIST_COUNT) })}</span>
      {!isSinglePage && (
        <span className="actions">
          <Button isDisabled={page === 1} onPress={() => onPage(page - 1)}>
            {t('previous')}
          </Button>
          <Button isDisabled={!hasNext} onPress={() => onPage(page + 1)}>
            {t('next')}
          </Button>
        </span>
      )}
    </nav>
  )
}

const PAGE_SIZE = 20

/** The number of entries that the API counts or examines in a filtered list (spec/management#totals). */
const MAX_LIST_COUNT = 10_000

/** Shows a list of the API page by page. The previous rows remain visible until the next page is loaded. */
export function PagedTable<T>({
  path,
  query,
  pageSize = PAGE_SIZE,
  api,
  at,
  columns,
  above,
  showsTotal,
  ...table
}: {
  path: string
  /** The filter of the list. To return to the first page when it changes, give the element a new key. */
  query?: Readonly<Record<string, string | undefined>>
  pageSize?: number
  /** The API to call. The default is the management API. */
  api?: ApiName
  /** The page number and its setter, for callers that keep it in the URL. */
  at?: { page: number; onPage: (page: number) => void }
  label: string
  columns: readonly Column<T>[] | ((rows: readonly T[]) => readonly Column<T>[])
  /** Renders what is above the table and depends on its rows. */
  above?: (rows: readonly T[]) => ReactNode
  showsTotal?: boolean
  keyOf: (row: T) => string
  empty?: ReactNode
}) {
  const [ownPage, setOwn] = useState(1)
  const { page, onPage } = at ?? { page: ownPage, onPage: setOwn }
  const { data, error, refetch } = useApi<T[]>(path, {
    query: { ...query, page, page_size: pageSize },
    ...(api && { api }),
  })
  if (!data) return <Loading failure={error} onRetry={refetch} />
  return (
    <>
      {above?.(data.data)}
      <Table
        {...table}
        rows={data.data}
        columns={typeof columns === 'function' ? columns(data.data) : columns}
      />
      <Pager
        page={page}
        pageSize={pageSize}
        {...data}
        length={data.data.length}
        onPage={onPage}
        {...(showsTotal && { showsTotal })}
      />
    </>
  )
}
