import './log.css'
import { useState } from 'react'
import { Link } from 'wouter'
import { useFormats, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/fields.tsx'
import { Loading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { CsvDownload } from './csv-download.tsx'
import { errorOf, factOf, type Log, type LogFilter } from './logs.ts'
import { texts } from './phrases.ts'
import { useLogFeed } from './use-log-feed.ts'

/** The rows that a filter finds, newest first. Without an end of time it shows new ones as they come. */
export function LogTable({ filter }: { filter: LogFilter }) {
  const t = useT(texts)
  const { time, number } = useFormats()
  const [isLive, setLive] = useState(filter.to === undefined)
  const feed = useLogFeed(filter, isLive)
  const { rows, until } = feed
  if (!rows) return <Loading failure={feed.failure} onRetry={feed.retry} />
  return (
    <>
      <div className="log-bar">
        <Switch
          label={t('live')}
          isSelected={isLive}
          isDisabled={filter.to !== undefined}
          onChange={setLive}
        />
        <CsvDownload filter={filter} />
      </div>
      {feed.failure && <Loading failure={feed.failure} />}
      <div className="log-rows">
        <Table
          label={t('entries')}
          rows={rows}
          keyOf={({ id }) => id}
          empty={<p>{t('none')}</p>}
          columns={[
            {
              title: t('time'),
              cell: ({ id, createdAt }) => <Link href={`/log/${id}`}>{time(createdAt)}</Link>,
            },
            { title: t('key'), cell: ({ key }) => <span className="log-key">{key}</span> },
            { title: t('result'), cell: (log) => <Result log={log} /> },
            {
              title: t('user'),
              cell: (log) => <UserLink id={factOf(log, 'userId')} />,
              isHiddenOnPhones: true,
            },
            { title: t('application'), cell: (log) => factOf(log, 'applicationId'), isHiddenOnPhones: true },
            { title: t('address'), cell: (log) => factOf(log, 'ip'), isHiddenOnPhones: true },
          ]}
        />
      </div>
      {feed.hasMore && (
        <div className="actions">
          <Button isDisabled={feed.isLoadingMore} onPress={feed.loadMore}>
            {t('older')}
          </Button>
          <span className="hint">
            {until !== null && filter.result !== undefined
              ? t('lookedUntil', { time: time(until) })
              : t('shown', { count: number(rows.length) })}
          </span>
        </div>
      )}
    </>
  )
}

/** With the code of a refusal, and how many calls the row stands for. */
export function Result({ log }: { log: Log }) {
  const t = useT(texts)
  const count = factOf(log, 'count')
  const isError = log.payload.result === 'Error'
  return (
    <>
      <span className={isError ? 'tag bad' : 'tag good'}>{t(log.payload.result)}</span>
      {isError && <code className="log-code">{errorOf(log)}</code>}
      {count && <span className="hint">{t('times', { count })}</span>}
    </>
  )
}

export const UserLink = ({ id }: { id: string }) => (id ? <Link href={`/users/${id}`}>{id}</Link> : null)
