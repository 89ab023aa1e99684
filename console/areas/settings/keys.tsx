import type { z } from 'zod'
import type { KeyRotation, SigningKey } from '../../../src/contract/tenants/signing-keys.schema.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { ConfirmButton } from '../../ui/dialog-button.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { texts } from './phrases.ts'

const rotations = [
  { name: 'rotate', body: {}, title: 'rotateTitle', lead: 'rotateLead', done: 'rotated' },
  {
    name: 'rotateNow',
    body: { immediately: true },
    title: 'rotateTitle',
    lead: 'rotateNowLead',
    done: 'rotated',
  },
  {
    name: 'withdraw',
    body: { withdraw: true },
    title: 'withdrawTitle',
    lead: 'withdrawLead',
    done: 'withdrawn',
  },
] as const satisfies { body: z.input<typeof KeyRotation>; [text: string]: unknown }[]

const PATH = '/configs/signing-keys'

/**
 * Lists the signing keys. The console explains each kind of rotation before it happens (spec/provider#signing-keys).
 */
export default function SigningKeys() {
  const t = useT(texts)
  const { time } = useFormats()
  const notify = useNotify()
  const change = useChange()
  const mayWrite = useCan('settings:write')
  const { data, error, refetch } = useApi<z.infer<typeof SigningKey>[]>(PATH)
  if (!data) return <Loading failure={error} onRetry={refetch} />
  return (
    <Card
      title={t('keys')}
      lead={t('keysLead')}
      actions={
        mayWrite &&
        rotations.map(({ name, body, title, lead, done }) => (
          <ConfirmButton
            key={name}
            text={t(name)}
            title={t(title)}
            lead={t(lead)}
            {...(name === 'withdraw' && { kind: 'danger', confirmationText: 'withdraw' })}
            onConfirm={async () => {
              await change(`${PATH}/rotate`, { method: 'POST', body, invalidates: [PATH] })
              notify.success(t(done))
            }}
          />
        ))
      }
    >
      <Table
        label={t('keys')}
        rows={data.data}
        keyOf={({ id }) => id}
        columns={[
          { title: 'ID', cell: ({ id }) => <code>{id}</code> },
          { title: t('algorithm'), cell: ({ algorithm }) => algorithm },
          { title: t('status'), cell: ({ status }) => t(status) },
          {
            title: t('signsFrom'),
            cell: ({ signsFrom }) => (signsFrom === 0 ? '–' : time(signsFrom)),
            isHiddenOnPhones: true,
          },
        ]}
      />
    </Card>
  )
}
