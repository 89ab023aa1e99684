import { Link } from 'wouter'
import type { z } from 'zod'
import type { HookSchema } from '../../../src/contract/hooks/hooks.schema.ts'
import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { Loading, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { describeEvents } from './hook-name.ts'
import { NewHook } from './new-hook.tsx'
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
            {
              title: t('events'),
              cell: ({ id, events }) => <Link href={`/hooks/${id}`}>{describeEvents(events)}</Link>,
            },
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
