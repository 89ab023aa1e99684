import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { z } from 'zod'
import type { FailedRequests as FailedRequestsSchema } from '../../../src/contract/failed-requests.schema.ts'
import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { Loading, Page } from '../../ui/page.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { useApplications } from './applications.ts'
import { Application, Name } from './log-facts.tsx'
import { ApplicationFilter } from './log-list.tsx'
import { LogTabs } from './log-tabs.tsx'
import { texts } from './phrases.ts'

type Row = z.infer<typeof FailedRequestsSchema>

const PAGE_SIZE = 50

/** What the provider and the rate limits refused: counted by the hour, without entries in the log. */
export function FailedRequests() {
  const t = useT(texts)
  const { time, number } = useFormats()
  const [query, setQuery] = useSearchParams()
  const applicationId = query.get('application') ?? ''
  const [page, setPage] = useState(1)
  const known = useApplications()
  const { data, error, refetch } = useApi<Row[]>('/failed-requests', {
    query: { page, page_size: PAGE_SIZE, applicationId },
  })
  return (
    <Page title={t('title')} lead={t('failedLead')}>
      <LogTabs />
      <search className="filters">
        <ApplicationFilter
          value={applicationId}
          onChange={(application) => {
            setPage(1)
            setQuery(application ? { application } : {}, { replace: true })
          }}
        />
      </search>
      {data && !error ? (
        <>
          <div className="log-rows">
            <Table
              label={t('failedRequests')}
              rows={data.data}
              keyOf={(row) => [row.hour, row.applicationId, row.endpoint, row.error].join(' ')}
              empty={<p>{t('noneFailed')}</p>}
              columns={[
                { title: t('hour'), cell: ({ hour }) => time(hour) },
                {
                  title: t('application'),
                  cell: ({ applicationId: id }) =>
                    id === null ? t('unknownApplication') : <Application id={id} known={known} />,
                },
                {
                  title: t('endpoint'),
                  cell: ({ endpoint }) => <Name text={endpoint} />,
                  isHiddenOnPhones: true,
                },
                {
                  title: t('error'),
                  cell: ({ error: code }) => (
                    <code>
                      <Name text={code} />
                    </code>
                  ),
                },
                { title: t('count'), cell: ({ count }) => number(count), isNumber: true },
              ]}
            />
          </div>
          <Pager page={page} pageSize={PAGE_SIZE} {...data} length={data.data.length} onPage={setPage} />
        </>
      ) : (
        <Loading failure={error} onRetry={refetch} />
      )}
    </Page>
  )
}
