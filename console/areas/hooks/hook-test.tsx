import { useState } from 'react'
import type { z } from 'zod'
import type { DeliveryReportSchema } from '../../../src/contract/hooks/hooks.schema.ts'
import type { HookEvent } from '../../../src/contract/hooks/hooks.ts'
import { call } from '../../api/client.ts'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { EventSelect } from './event-select.tsx'
import { texts } from './phrases.ts'

type Report = z.infer<typeof DeliveryReportSchema>

/** Sends a test message with the stored settings, ignoring unsaved changes. */
export function HookTest({ path, events }: { path: string; events: readonly HookEvent[] }) {
  const t = useT(texts)
  const [report, setReport] = useState<Report | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [event, setEvent] = useState(events[0])
  const send = async () => {
    setBusy(true)
    try {
      setReport((await call<Report>(`${path}/test`, { method: 'POST', body: { event } })).data)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card
      title={t('testMessage')}
      lead={t('testLead')}
      actions={
        <Button isDisabled={isBusy} onPress={send}>
          {t('testMessage')}
        </Button>
      }
    >
      <EventSelect events={events} value={event} onChange={setEvent} />
      <div role="status">
        {report && (
          <p className={report.result === 'Success' ? 'tag good' : 'tag bad'}>
            {report.response
              ? t('sent', { status: report.response.statusCode })
              : t('notSent', { error: report.error ?? '' })}
          </p>
        )}
      </div>
      <ResponseBody body={report?.response?.body} />
    </Card>
  )
}

/** Shows the response of the operator's server. */
export function ResponseBody({ body }: { body: unknown }) {
  const t = useT(texts)
  if (body === undefined || body === '') return null
  return (
    <div>
      <h3>{t('answer')}</h3>
      <pre>{typeof body === 'string' ? body : JSON.stringify(body, null, 2)}</pre>
    </div>
  )
}
