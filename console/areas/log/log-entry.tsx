import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { BreakableName, LogFacts, LogResult } from './log-facts.tsx'
import { formatFieldValue, type Log, readPayloadField } from './logs.ts'
import { texts } from './phrases.ts'

/** Shows one log entry with all its data. */
export function LogEntry({ id }: { id: string }) {
  const t = useT(texts)
  const { time } = useFormats()
  const { data, error, refetch } = useApi<Log>(`/logs/${encodeURIComponent(id)}`)
  if (!data) return <Loading failure={error} onRetry={refetch} />
  const log = data.data
  const interaction = readPayloadField(log, 'interactionId')
  const requestId = readPayloadField(log, 'requestId')
  return (
    <Page
      title={log.key}
      heading={<BreakableName text={log.key} />}
      lead={<LogResult log={log} />}
      parent={{ href: '/log', title: t('log') }}
      actions={
        interaction && (
          <ButtonLink kind="primary" href={`/log/interactions/${encodeURIComponent(interaction)}`}>
            {t('timeline')}
          </ButtonLink>
        )
      }
    >
      <Card>
        <LogFacts rows={[log]}>
          <dt>{t('time')}</dt>
          <dd>{time(log.createdAt)}</dd>
        </LogFacts>
        {requestId && <Copyable label={t('requestId')} value={requestId} />}
      </Card>
      <Changes changes={log.payload.changes} />
      <Copyable isBlock label={t('payload')} value={JSON.stringify(log, null, 2)} />
    </Page>
  )
}

/** Lists the values of the changed fields. */
function Changes({ changes = {} }: { changes: Log['payload']['changes'] }) {
  const t = useT(texts)
  const rows = Object.entries(changes).map(([field, change]) => ({ field, ...change }))
  if (rows.length === 0) return null
  return (
    <div className="log-changes">
      <Table
        label={t('changedFields')}
        rows={rows}
        keyOf={({ field }) => field}
        empty={null}
        columns={[
          { title: t('field'), cell: ({ field }) => <BreakableName text={field} /> },
          { title: t('before'), cell: ({ field, before }) => <FieldValue field={field} value={before} /> },
          { title: t('after'), cell: ({ field, after }) => <FieldValue field={field} value={after} /> },
        ]}
      />
    </div>
  )
}

/** Shows a value. Fields such as `previousSecret.expiresAt` are times, in milliseconds since the epoch. */
function FieldValue({ field, value }: { field: string; value: unknown }) {
  const t = useT(texts)
  const { time } = useFormats()
  if (typeof value === 'number' && field.endsWith('At')) return time(value)
  if (value === null || value === undefined) return <span className="hint">{t('noValue')}</span>
  return <code className="log-value">{formatFieldValue(value)}</code>
}
