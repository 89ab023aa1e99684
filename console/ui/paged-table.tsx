import { type ReactNode, useState } from 'react'
import { useApi } from '../api/queries.ts'
import type { ApiName } from '../session/session.ts'
import { Loading } from './page.tsx'
import { type Column, Pager, Table } from './table.tsx'

const PAGE_SIZE = 20

/** A list of the API, page by page. The rows before are shown until the next page is there. */
export function PagedTable<T>({
  path,
  query,
  pageSize = PAGE_SIZE,
  api,
  at,
  ...table
}: {
  path: string
  /** What the list is narrowed to. The page stays, unless another list is another element. */
  query?: Readonly<Record<string, string | undefined>>
  pageSize?: number
  /** The management API, unless it is given. */
  api?: ApiName
  /** Where the page is part of the address. */
  at?: { page: number; onPage: (page: number) => void }
  label: string
  columns: readonly Column<T>[]
  keyOf: (row: T) => string
  empty?: ReactNode
}) {
  const [own, setOwn] = useState(1)
  const { page, onPage } = at ?? { page: own, onPage: setOwn }
  const { data, error, refetch } = useApi<T[]>(path, {
    query: { ...query, page, page_size: pageSize },
    ...(api && { api }),
  })
  if (!data) return <Loading failure={error} onRetry={refetch} />
  return (
    <>
      <Table {...table} rows={data.data} />
      <Pager page={page} pageSize={pageSize} {...data} length={data.data.length} onPage={onPage} />
    </>
  )
}
