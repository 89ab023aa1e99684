import { useState } from 'react'
import { Link } from 'wouter'
import { useFormats, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/fields.tsx'
import { Loading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { useApplications } from './applications.ts'
import { CsvDownload } from './csv-download.tsx'
import { ActorLink, ApplicationLink, BreakableName, LogResult, UserLink } from './log-facts.tsx'
import { hidesRows, type LogFilter, readApplicationId, readPayloadField } from './logs.ts'
import { texts } from './phrases.ts'
import { useLogFeed } from './use-log-feed.ts'
import { useUserNames } from './user-names.ts'

/**
 * Shows the rows that match a filter, newest first. If the filter has no end time, new rows appear as they arrive.
 */
export function LogTable({ filter, empty }: { filter: LogFilter; empty?: string }) {
  const t = useT(texts)
  const { date, clock, time, number } = useFormats()
  const mayBeLive = filter.to === undefined
  const [isLive, setLive] = useState(true)
  const applications = useApplications()
  const feed = useLogFeed(filter, isLive && mayBeLive)
  const { rows, until } = feed
  const names = useUserNames(rows ?? [])
  if (!rows) return <Loading failure={feed.failure} onRetry={feed.retry} />
  return (
    <>
      <div className="log-bar">
        <Switch
          label={t('live')}
          isSelected={isLive && mayBeLive}
          isDisabled={!mayBeLive}
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
          empty={<p>{empty ?? t('none')}</p>}
          columns={[
            {
              title: t('time'),
              cell: ({ id, createdAt }) => (
                <Link href={`/log/${id}`}>
                  <span>{date(createdAt)}</span> <span>{clock(createdAt)}</span>
                </Link>
              ),
            },
            { title: t('key'), cell: ({ key }) => <BreakableName text={key} /> },
            { title: t('result'), cell: (log) => <LogResult log={log} /> },
            {
              title: t('by'),
              cell: (log) => <ActorLink log={log} names={names} applications={applications} />,
              isHiddenOnPhones: true,
            },
            { title: t('user'), cell: (log) => <UserLink log={log} names={names} />, isHiddenOnPhones: true },
            {
              title: t('application'),
              cell: (log) => <ApplicationLink id={readApplicationId(log)} applications={applications} />,
              isHiddenOnPhones: true,
            },
            { title: t('address'), cell: (log) => readPayloadField(log, 'ip'), isHiddenOnPhones: true },
          ]}
        />
      </div>
      {feed.hasMore && (
        <div className="actions">
          <Button isDisabled={feed.isLoadingMore} onPress={feed.loadMore}>
            {t('older')}
          </Button>
          <span className="hint">
            {until !== null && hidesRows(filter)
              ? t('lookedUntil', { time: time(until) })
              : t('shown', { count: number(rows.length) })}
          </span>
        </div>
      )}
    </>
  )
}
