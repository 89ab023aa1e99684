import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useFormats, useT } from '../../phrases.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, Empty, Loading, Page } from '../../ui/page.tsx'
import { BreakableName, LogFacts, LogResult } from './log-facts.tsx'
import { formatElapsed, type Log, readPayloadField } from './logs.ts'
import { texts } from './phrases.ts'
import { readTimeline } from './read-logs.ts'

/** Shows the steps of one interaction, with its user and application. */
export function Timeline({ id }: { id: string }) {
  const t = useT(texts)
  const { time } = useFormats()
  const {
    data: steps,
    error,
    refetch,
  } = useQuery({ queryKey: ['timeline', id], queryFn: ({ signal }) => readTimeline(id, signal) })
  if (!steps) return <Loading failure={error} onRetry={refetch} />
  const began = steps[0]?.createdAt ?? 0
  return (
    <Page
      title={t('timeline')}
      lead={steps.length > 0 ? time(began) : undefined}
      parent={{ href: '/log', title: t('log') }}
      actions={<ButtonLink href={`/log?interaction=${encodeURIComponent(id)}`}>{t('inLog')}</ButtonLink>}
    >
      {steps.length === 0 ? (
        <Empty>
          <p>{t('none')}</p>
        </Empty>
      ) : (
        <Card>
          <LogFacts rows={steps} />
          <ol className="timeline">
            {steps.map((log) => (
              <Step key={log.id} log={log} after={log.createdAt - began} />
            ))}
          </ol>
        </Card>
      )}
    </Page>
  )
}

function Step({ log, after }: { log: Log; after: number }) {
  const t = useT(texts)
  const { number } = useFormats()
  const requestId = readPayloadField(log, 'requestId')
  return (
    <li>
      <span className="timeline-time">{formatElapsed(after, number)}</span>
      <div>
        <Link href={`/log/${log.id}`}>
          <BreakableName text={log.key} />
        </Link>{' '}
        <LogResult log={log} />
        {requestId && (
          <span className="hint">
            {t('requestId')} {requestId}
          </span>
        )}
      </div>
    </li>
  )
}
