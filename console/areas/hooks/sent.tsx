import { useState } from 'react'
import type { HookEvent } from '../../../src/contract/hooks/hooks.ts'
import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { useLogFeed } from '../log/use-log-feed.ts'
import { type Attempt, groupAttempts, type SentMessage } from './attempts.ts'
import { useResend } from './deliveries.tsx'
import { EventSelect } from './event-select.tsx'
import type { Hook } from './hook-list.tsx'
import { ResponseBody } from './hook-test.tsx'
import { texts } from './phrases.ts'

/**
 * Shows messages and their responses as they arrive, whether delivered or not. Messages that could not be
 * delivered can be sent again.
 */
export function SentHookMessages({ hook, mayWrite }: { hook: Hook; mayWrite: boolean }) {
  const t = useT(texts)
  const mayReadLog = useCan('logs:read')
  const [event, setEvent] = useState(hook.event)
  return (
    <Card title={t('recent')} lead={t(mayReadLog ? 'recentLead' : 'needsLog')}>
      {mayReadLog && (
        <>
          <EventSelect events={hook.events} value={event} onChange={setEvent} />
          <SentTable key={event} id={hook.id} event={event} mayWrite={mayWrite} />
        </>
      )}
    </Card>
  )
}

const MAX_FAILED = 100 // spec/limits#lists

type SentTableProps = { id: string; event: HookEvent; mayWrite: boolean }

function SentTable({ id, event, mayWrite }: SentTableProps) {
  const t = useT(texts)
  const { time, number } = useFormats()
  const path = `/hooks/${id}`
  const feed = useLogFeed({ logKey: `TriggerHook.${event}`, hookId: id }, true)
  const failed = useApi<{ id: string }[]>(`${path}/deliveries`, {
    query: { page: 1, page_size: MAX_FAILED },
    isEnabled: mayWrite,
  })
  const resend = useResend(path)
  const [opened, setOpened] = useState<SentMessage | null>(null)
  if (!feed.rows) return <Loading failure={feed.failure} onRetry={feed.retry} />
  const mayResend = (sent: SentMessage) =>
    mayWrite && failed.data?.data.some((delivery) => delivery.id === sent.id) === true
  return (
    <>
      <Table
        label={t('recent')}
        rows={groupAttempts(feed.rows)}
        keyOf={(sent) => sent.id}
        empty={<p>{t('nothingSent')}</p>}
        columns={[
          { title: t('time'), cell: ({ attempts: [last] }) => time(last.at) },
          { title: t('result'), cell: ({ attempts: [last] }) => <Result attempt={last} /> },
          {
            title: t('attempts'),
            cell: ({ attempts }) => number(attempts.length),
            isNumber: true,
            isHiddenOnPhones: true,
          },
          {
            title: t('message'),
            cell: (sent) => (
              <span className="actions">
                <Button onPress={() => setOpened(sent)}>{t('show')}</Button>
                {mayResend(sent) && <Button onPress={() => resend(sent.id)}>{t('resend')}</Button>}
              </span>
            ),
          },
        ]}
      />
      {feed.hasMore && (
        <div className="actions">
          <Button isDisabled={feed.isLoadingMore} onPress={feed.loadMore}>
            {t('older')}
          </Button>
        </div>
      )}
      {opened && <Details sent={opened} title={event} onClose={() => setOpened(null)} />}
    </>
  )
}

function Result({ attempt: { isAccepted, status, error } }: { attempt: Attempt }) {
  const t = useT(texts)
  if (status !== null)
    return <span className={isAccepted ? 'tag good' : 'tag bad'}>{t('sent', { status })}</span>
  return (
    <>
      <span className="tag bad">{t('noAnswer')}</span> <span className="hint">{error}</span>
    </>
  )
}

type DetailsProps = { sent: SentMessage; title: string; onClose: () => void }

function Details({ sent: { attempts, message }, title, onClose }: DetailsProps) {
  const t = useT(texts)
  const { time } = useFormats()
  const [{ answer }] = attempts
  return (
    <Dialog title={title} onClose={onClose}>
      <h3>{t('allAttempts')}</h3>
      <ul>
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            {time(attempt.at)} <Result attempt={attempt} />
          </li>
        ))}
      </ul>
      <ResponseBody body={answer} />
      <h3>{t('whatWasSent')}</h3>
      <pre>{JSON.stringify(message, null, 2)}</pre>
    </Dialog>
  )
}
