import { useState } from 'react'
import type { z } from 'zod'
import type { HookDelivery } from '../../../src/contract/hooks/hooks.schema.ts'
import { useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { texts } from './phrases.ts'

type Delivery = z.infer<typeof HookDelivery>

/** Lists messages that could not be delivered (spec/management#hook-deliveries). */
export function Deliveries({ path, mayWrite }: { path: string; mayWrite: boolean }) {
  const t = useT(texts)
  const { time, number } = useFormats()
  const resend = useResend(path)
  const [opened, setOpened] = useState<Delivery | null>(null)
  return (
    <Card title={t('deliveries')} lead={t('deliveriesLead')}>
      <PagedTable<Delivery>
        path={`${path}/deliveries`}
        label={t('deliveries')}
        keyOf={({ id }) => id}
        empty={<p>{t('noDeliveries')}</p>}
        columns={[
          { title: t('time'), cell: ({ createdAt }) => time(createdAt) },
          { title: t('event'), cell: ({ event }) => event },
          { title: t('attempts'), cell: ({ attempts }) => number(attempts), isNumber: true },
          {
            title: t('message'),
            cell: (delivery) => (
              <span className="actions">
                <Button onPress={() => setOpened(delivery)}>{t('show')}</Button>
                {mayWrite && <Button onPress={() => resend(delivery.id)}>{t('resend')}</Button>}
              </span>
            ),
          },
        ]}
      />
      {opened && (
        <Dialog title={opened.event} onClose={() => setOpened(null)}>
          <pre>{JSON.stringify(opened.payload, null, 2)}</pre>
        </Dialog>
      )}
    </Card>
  )
}

/**
 * Returns a function that sends a failed delivery of the webhook at this path again (spec/management#hook-deliveries).
 * The button that calls it reports failures.
 */
export function useResend(path: string): (deliveryId: string) => Promise<void> {
  const t = useT(texts)
  const change = useChange()
  const notify = useNotify()
  const of = `${path}/deliveries`
  return async (deliveryId) => {
    await change(`${of}/${deliveryId}/resend`, { method: 'POST', invalidates: [of] })
    notify.success(t('resent'))
  }
}
