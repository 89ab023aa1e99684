import { useState } from 'react'
import type { z } from 'zod'
import type { Rotation, SigningKey } from '../../../src/contract/tenants/signing-keys.schema.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { texts } from './phrases.ts'

const rotations = {
  rotate: { body: {}, title: 'rotateTitle', lead: 'rotateLead', done: 'rotated' },
  rotateNow: { body: { immediately: true }, title: 'rotateTitle', lead: 'rotateNowLead', done: 'rotated' },
  withdraw: { body: { withdraw: true }, title: 'withdrawTitle', lead: 'withdrawLead', done: 'withdrawn' },
} as const satisfies Record<string, { body: z.input<typeof Rotation>; [text: string]: unknown }>

const PATH = '/configs/signing-keys'

/** What each rotation means is said before it is made (spec/provider#signing-keys). */
export function Keys() {
  const t = useT(texts)
  const { time } = useFormats()
  const notify = useNotify()
  const change = useChange()
  const mayWrite = useMay('settings:write')
  const [asked, setAsked] = useState<keyof typeof rotations | null>(null)
  const { data, error, refetch } = useApi<z.infer<typeof SigningKey>[]>(PATH)
  if (!data) return <Loading failure={error} onRetry={refetch} />
  const rotation = asked && rotations[asked]
  return (
    <Card
      title={t('keys')}
      lead={t('keysLead')}
      actions={
        mayWrite && (
          <>
            <Button onPress={() => setAsked('rotate')}>{t('rotate')}</Button>
            <Button onPress={() => setAsked('rotateNow')}>{t('rotateNow')}</Button>
            <Button kind="danger" onPress={() => setAsked('withdraw')}>
              {t('withdraw')}
            </Button>
          </>
        )
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
      {asked && rotation && (
        <ConfirmDialog
          title={t(rotation.title)}
          lead={t(rotation.lead)}
          action={t(asked)}
          {...(asked === 'withdraw' && { typed: 'withdraw' })}
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            await change(`${PATH}/rotate`, { method: 'POST', body: rotation.body, invalidates: [PATH] })
            notify.success(t(rotation.done))
          }}
        />
      )}
    </Card>
  )
}
