import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { useFormats, useT } from '../../phrases.ts'
import { Card, Empty, Loading, Page } from '../../ui/page.tsx'
import { Result, UserLink } from './log-table.tsx'
import {
  type Cursor,
  factOf,
  isWhole,
  type Log,
  type LogFilter,
  timelineOf,
  timelineWindows,
} from './logs.ts'
import { texts } from './phrases.ts'
import { readOlder } from './read-logs.ts'

/** So many rows of other interactions are looked through. Ours. */
const MOST_ROWS = 5000

/**
 * One interaction, step by step. The log has no index of interactions: its rows are looked for in the minutes around one of
 * them, and in the hours where these have not its beginning and its end.
 */
export function Timeline({ id }: { id: string }) {
  const t = useT(texts)
  const { time } = useFormats()
  const [query] = useSearchParams()
  const at = Number(query.get('at') ?? Date.now())
  const { data, error, refetch } = useQuery({
    queryKey: ['timeline', id, at],
    queryFn: ({ signal }) => readTimeline(id, at, signal),
  })
  if (!data) return <Loading failure={error} onRetry={refetch} />
  const { steps } = data
  const began = steps[0]?.createdAt ?? 0
  const userId = steps.map((log) => factOf(log, 'userId')).find((found) => found !== '') ?? ''
  return (
    <Page
      title={t('timeline')}
      lead={steps.length > 0 ? time(began) : undefined}
      parent={{ href: '/log', title: t('title') }}
    >
      {userId && (
        <p>
          {t('user')}: <UserLink id={userId} />
        </p>
      )}
      {data.isCut && <p className="alert">{t('cut')}</p>}
      {steps.length === 0 ? (
        <Empty>
          <p>{t('none')}</p>
        </Empty>
      ) : (
        <Card>
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
  const requestId = factOf(log, 'requestId')
  return (
    <li>
      <span className="timeline-time">+{number(Math.round(after / 100) / 10)} s</span>
      <div>
        <Link href={`/log/${log.id}`}>{log.key}</Link> <Result log={log} />
        {requestId && (
          <span className="hint">
            {t('requestId')} {requestId}
          </span>
        )}
      </div>
    </li>
  )
}

async function readTimeline(id: string, at: number, signal: AbortSignal) {
  let found = { steps: [] as Log[], isCut: false }
  for (const around of timelineWindows) {
    const { rows, isCut } = await readWindow({ from: at - around, to: at + around }, signal)
    found = { steps: timelineOf(id, rows), isCut }
    if (isWhole(found.steps)) break
  }
  return found
}

async function readWindow(filter: LogFilter, signal: AbortSignal) {
  const rows: Log[] = []
  let cursor: Cursor | null = null
  do {
    const batch = await readOlder(filter, cursor, signal)
    rows.push(...batch.rows)
    cursor = batch.next
  } while (cursor && rows.length < MOST_ROWS)
  return { rows, isCut: cursor !== null }
}
