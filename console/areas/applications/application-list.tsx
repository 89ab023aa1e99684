import { useState } from 'react'
import { Link } from 'wouter'
import type { z } from 'zod'
import type { ApplicationSchema } from '../../../src/contract/applications.schema.ts'
import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { Loading, Page } from '../../ui/page.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { texts } from './phrases.ts'

export type Application = z.infer<typeof ApplicationSchema>

const PAGE_SIZE = 20

export function ApplicationList() {
  const t = useT(texts)
  const { date } = useFormats()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useApi<Application[]>('/applications', {
    query: { page, page_size: PAGE_SIZE },
  })
  return (
    <Page title={t('title')} lead={t('lead')}>
      {data ? (
        <>
          <Table
            label={t('title')}
            rows={data.data}
            keyOf={({ id }) => id}
            columns={[
              { title: t('name'), cell: ({ id, name }) => <Link href={`/applications/${id}`}>{name}</Link> },
              { title: t('type'), cell: ({ type }) => type },
              { title: t('id'), cell: ({ id }) => <code>{id}</code>, isHiddenOnPhones: true },
              { title: t('created'), cell: ({ createdAt }) => date(createdAt), isHiddenOnPhones: true },
            ]}
          />
          <Pager page={page} pageSize={PAGE_SIZE} {...data} length={data.data.length} onPage={setPage} />
        </>
      ) : (
        <Loading failure={error} onRetry={refetch} />
      )}
    </Page>
  )
}
