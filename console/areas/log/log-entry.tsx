import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { Result, UserLink } from './log-table.tsx'
import { factOf, type Log } from './logs.ts'
import { texts } from './phrases.ts'

/** One row with all that it says. */
export function LogEntry({ id }: { id: string }) {
  const t = useT(texts)
  const { time } = useFormats()
  const { data, error, refetch } = useApi<Log>(`/logs/${encodeURIComponent(id)}`)
  if (!data) return <Loading failure={error} onRetry={refetch} />
  const log = data.data
  const interaction = factOf(log, 'interactionId')
  const requestId = factOf(log, 'requestId')
  const applicationId = factOf(log, 'applicationId')
  return (
    <Page
      title={log.key}
      lead={<Result log={log} />}
      parent={{ href: '/log', title: t('title') }}
      actions={
        interaction && (
          <ButtonLink kind="primary" href={timelineAddress(log)}>
            {t('timeline')}
          </ButtonLink>
        )
      }
    >
      <Card>
        <dl className="facts">
          <dt>{t('time')}</dt>
          <dd>{time(log.createdAt)}</dd>
          {factOf(log, 'userId') && (
            <>
              <dt>{t('user')}</dt>
              <dd>
                <UserLink id={factOf(log, 'userId')} />
              </dd>
            </>
          )}
          {applicationId && (
            <>
              <dt>{t('application')}</dt>
              <dd>
                <ApplicationLink id={applicationId} />
              </dd>
            </>
          )}
        </dl>
        {requestId && <Copyable label={t('requestId')} value={requestId} />}
      </Card>
      <Copyable isBlock label={t('payload')} value={JSON.stringify(log, null, 2)} />
    </Page>
  )
}

const ApplicationLink = ({ id }: { id: string }) => (
  <ButtonLink kind="quiet" href={`/applications/${encodeURIComponent(id)}`}>
    {id}
  </ButtonLink>
)

/** The rows of an interaction lie around this one. */
const timelineAddress = (log: Log): string =>
  `/log/interactions/${encodeURIComponent(factOf(log, 'interactionId'))}?at=${log.createdAt}`
