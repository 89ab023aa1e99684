import { Link, useSearchParams } from 'wouter'
import type { z } from 'zod'
import type { FailedRequests as FailedRequestsSchema } from '../../../src/contract/failed-requests.schema.ts'
import { OFFLINE_ACCESS_DROPPED } from '../../../src/contract/failed-requests.ts'
import { useFormats, useT } from '../../phrases.ts'
import { Page } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { failedSignInsFilter } from './address.ts'
import { useApplications } from './applications.ts'
import { ApplicationLink, BreakableName } from './log-facts.tsx'
import { ApplicationFilter } from './log-list.tsx'
import { LogTabs } from './log-tabs.tsx'
import { texts } from './phrases.ts'

type Row = z.infer<typeof FailedRequestsSchema>

const PAGE_SIZE = 50

/**
 * Shows the requests that the provider and the rate limits rejected, counted by the hour. These requests have no log
 * entries.
 */
export function FailedRequests() {
  const t = useT(texts)
  const { time, number } = useFormats()
  const [query, setQuery] = useSearchParams()
  const applicationId = query.get('application') ?? ''
  const applications = useApplications()
  return (
    <Page title={t('log')} lead={t('failedLead')}>
      <LogTabs />
      <p>
        <Link href={`/log?${new URLSearchParams(failedSignInsFilter)}`}>{t('failedSignIns')}</Link>
      </p>
      <search className="filters">
        <ApplicationFilter
          value={applicationId}
          onChange={(application) => {
            setQuery(application ? { application } : {}, { replace: true })
          }}
        />
      </search>
      <div className="log-rows">
        <PagedTable<Row>
          key={applicationId}
          path="/failed-requests"
          query={{ applicationId }}
          pageSize={PAGE_SIZE}
          label={t('failedRequests')}
          keyOf={(row) => [row.hour, row.applicationId, row.endpoint, row.error].join(' ')}
          empty={<p>{t('noneFailed')}</p>}
          columns={[
            { title: t('hour'), cell: ({ hour }) => time(hour) },
            {
              title: t('application'),
              cell: ({ applicationId: id }) =>
                id === null ? (
                  t('unknownApplication')
                ) : (
                  <ApplicationLink id={id} applications={applications} />
                ),
            },
            {
              title: t('endpoint'),
              cell: ({ endpoint }) => <BreakableName text={endpoint} />,
              isHiddenOnPhones: true,
            },
            {
              title: t('error'),
              cell: ({ error: code }) => (
                <>
                  <code>
                    <BreakableName text={code} />
                  </code>
                  {code === OFFLINE_ACCESS_DROPPED && <small className="hint">{t('offlineDropped')}</small>}
                </>
              ),
            },
            { title: t('count'), cell: ({ count }) => number(count), isNumber: true },
          ]}
        />
      </div>
    </Page>
  )
}
