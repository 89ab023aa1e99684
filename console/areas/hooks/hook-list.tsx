import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { z } from 'zod'
import type { HookSchema } from '../../../src/contract/hooks/hooks.schema.ts'
import { type HookEvent, hookEvents } from '../../../src/contract/hooks/hooks.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { CreateDialog } from '../../ui/create-dialog.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { OneTimeDialog } from '../../ui/once-dialog.tsx'
import { Loading, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { texts } from './phrases.ts'

export type Hook = z.infer<typeof HookSchema>

export function HookList() {
  const t = useT(texts)
  const { date } = useFormats()
  const mayWrite = useCan('hooks:write')
  const { data, error, refetch } = useApi<Hook[]>('/hooks')
  return (
    <Page
      title={t('hooks')}
      lead={t('lead')}
      actions={
        mayWrite && (
          <DialogButton kind="primary" text={t('newHook')}>
            {(close) => <NewHook onClose={close} />}
          </DialogButton>
        )
      }
    >
      {data ? (
        <Table
          label={t('hooks')}
          rows={data.data}
          keyOf={({ id }) => id}
          columns={[
            { title: t('event'), cell: ({ id, event }) => <Link href={`/hooks/${id}`}>{event}</Link> },
            { title: t('address'), cell: ({ config }) => <code>{config.url}</code> },
            { title: t('time'), cell: ({ createdAt }) => date(createdAt), isHiddenOnPhones: true },
          ]}
        />
      ) : (
        <Loading failure={error} onRetry={refetch} />
      )}
    </Page>
  )
}

function NewHook({ onClose }: { onClose: () => void }) {
  const t = useT(texts)
  const change = useChange()
  const [, go] = useLocation()
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null)
  if (created) return <SecretDialog secret={created.secret} onClose={() => go(`/hooks/${created.id}`)} />
  return (
    <CreateDialog
      title={t('newHook')}
      action={t('create')}
      fields={[
        {
          name: 'event',
          label: t('event'),
          initial: 'PostRegister' satisfies HookEvent,
          options: hookEvents.map((value) => ({ value, label: value })),
        },
        { name: 'config.url', label: t('address'), hint: t('urlHint'), type: 'url', isCode: true },
      ]}
      onClose={onClose}
      onCreate={async ({ event, 'config.url': url }) => {
        const body = { event, config: { url, retries: 3 } }
        const { data } = await change<{ id: string; secret: string }>('/hooks', { method: 'POST', body })
        setCreated(data)
      }}
    />
  )
}

/** Shows the secret of a webhook. The API returns it only once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useT(texts)
  return (
    <OneTimeDialog title={t('secretTitle')} close="done" onClose={onClose}>
      <p>{t('secretLead')}</p>
      <Copyable label={t('secret')} value={secret} isBlock />
    </OneTimeDialog>
  )
}
