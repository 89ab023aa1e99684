import type { SentMessage } from '../../../src/contract/connectors/message-log.schema.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import type { Factory } from './config.ts'
import { FailureText } from './failure.tsx'

const texts = phrases({
  en: {
    lead: 'The latest messages sent by this type of connector. Addresses are masked.',
    to: 'To',
    accepted: 'accepted',
    refresh: 'Refresh',
  },
  de: {
    lead: 'Die neuesten Nachrichten über diese Art von Konnektor. Adressen sind maskiert.',
    to: 'An',
    accepted: 'angenommen',
    refresh: 'Aktualisieren',
  },
})

/** Lists the log entries of sent messages, filtered by connector factory (spec/management#messages-sent). */
export function SentMessages({ factory }: { factory: Pick<Factory, 'id'> }) {
  const t = useT(texts)
  const { time } = useFormats()
  const { data, error, refetch } = useApi<SentMessage[]>('/messages')
  if (!data) return error && <Loading failure={error} onRetry={refetch} />
  return (
    <Card
      title={t('whatWasSent')}
      lead={t('lead')}
      actions={
        <Button kind="quiet" onPress={() => refetch()}>
          {t('refresh')}
        </Button>
      }
    >
      <Table
        label={t('whatWasSent')}
        rows={data.data.filter(({ factoryId }) => factoryId === factory.id)}
        keyOf={({ id }) => id}
        columns={[
          { title: t('time'), cell: ({ createdAt }) => time(createdAt) },
          { title: t('to'), cell: ({ to }) => to },
          { title: t('message'), cell: ({ messageType }) => messageType, isHiddenOnPhones: true },
          {
            title: t('result'),
            cell: (message) => (message.error ? <FailureText failure={message} /> : t('accepted')),
          },
        ]}
      />
    </Card>
  )
}
