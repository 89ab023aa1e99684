import { useState } from 'react'
import type { z } from 'zod'
import { DEFAULT_TENANT } from '../../../src/contract/product.ts'
import type {
  CreatedTenant,
  DeletedTenant,
  TenantSchema,
} from '../../../src/contract/tenants/tenants.schema.ts'
import { useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { CreateButton } from '../../ui/dialog-button.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { NewTenant } from './new-tenant.tsx'
import { texts } from './phrases.ts'

type Tenant = z.infer<typeof TenantSchema>

/**
 * Lists the tenants of the deployment. Only the console of the operator's tenant has this page (spec/console#tenants).
 */
export default function Tenants() {
  const t = useT(texts)
  const { date } = useFormats()
  const change = useChange()
  const [created, setCreated] = useState<z.infer<typeof CreatedTenant> | null>(null)
  const [tenantToDelete, setTenantToDelete] = useState<string | null>(null)
  const create = (
    <CreateButton
      text={t('new')}
      scope="all"
      fields={[{ name: 'id', label: t('id'), hint: t('idHint'), isCode: true }]}
      onCreate={async ({ id }, close) => {
        const { data } = await change<z.infer<typeof CreatedTenant>>('/tenants', {
          method: 'POST',
          api: 'services',
          body: id === '' ? {} : { id },
        })
        setCreated(data)
        close()
      }}
    />
  )
  return (
    <Page title={t('tenants')} lead={t('lead')} actions={create}>
      <PagedTable<Tenant>
        path="/tenants"
        api="services"
        label={t('tenants')}
        keyOf={({ id }) => id}
        columns={[
          { title: t('tenant'), cell: ({ id }) => <code>{id}</code> },
          { title: t('address'), cell: ({ origin }) => origin ?? t('noHost'), isHiddenOnPhones: true },
          { title: t('created'), cell: ({ createdAt }) => date(createdAt), isHiddenOnPhones: true },
          {
            title: t('actions'),
            cell: (tenant) => <Actions tenant={tenant} onDelete={() => setTenantToDelete(tenant.id)} />,
          },
        ]}
      />
      {created && <NewTenant tenant={created} onClose={() => setCreated(null)} />}
      {tenantToDelete !== null && <Deletion id={tenantToDelete} onClose={() => setTenantToDelete(null)} />}
    </Page>
  )
}

function Actions({ tenant: { id, origin }, onDelete }: { tenant: Tenant; onDelete: () => void }) {
  const t = useT(texts)
  if (id === DEFAULT_TENANT) return <span className="tag">{t('operators')}</span>
  return (
    <span className="actions">
      {origin && (
        <a className="button plain" href={`${origin}/console`} aria-label={t('open', { id })}>
          {t('openShort')}
        </a>
      )}
      <Button kind="danger" aria-label={t('deleteOne', { id })} onPress={onDelete}>
        {t('delete')}
      </Button>
    </span>
  )
}

/**
 * The maximum number of calls for one deletion. A large tenant takes several calls (spec/management#tenants-api), and
 * the scheduled run deletes what is left. Our choice.
 */
const MAX_CALLS = 20

function Deletion({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT(texts)
  const change = useChange()
  const notify = useNotify()
  const remove = async () => {
    let last: z.infer<typeof DeletedTenant> | undefined
    for (let calls = 0; calls < MAX_CALLS && !last?.isComplete; calls++) {
      const { data } = await change<z.infer<typeof DeletedTenant>>(`/tenants/${id}`, {
        method: 'DELETE',
        api: 'services',
        query: { confirm: id },
        invalidates: ['/tenants'],
      })
      last = data
    }
    const outcome = last?.uploadsLeft ? 'uploadsLeft' : last?.isComplete ? 'deleted' : 'deletedPartly'
    notify.success(t(outcome, { id }))
  }
  return (
    <ConfirmDialog
      title={t('deleteTitle', { id })}
      lead={t('deleteLead')}
      action={t('delete')}
      confirmationText={id}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
