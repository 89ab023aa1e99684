import { useState } from 'react'
import { Link } from 'wouter'
import type { z } from 'zod'
import type { OrganizationApplication } from '../../../src/contract/organisations/organizations.schema.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButton, useRemovalColumn } from '../../ui/dialog-button.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Select } from '../../ui/fields.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { RequireStepUp } from '../../ui/step-up.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { memberPhrases } from './member-phrases.ts'
import { RoleChoice } from './organisation-roles.tsx'
import { RolesDialog } from './roles-dialog.tsx'

type Service = z.infer<typeof OrganizationApplication>

/** Lists the machine-to-machine applications that act for an organisation, with their roles there. */
export default function Services({ id }: { id: string }) {
  const t = useT(memberPhrases)
  const { date } = useFormats()
  const mayRead = useCan('applications:read')
  const mayWrite = useCan('organizations:write')
  const change = useChange()
  const path = `/organizations/${encodeURIComponent(id)}/applications`
  const [removal, question] = useRemovalColumn<Service>({
    action: t('remove'),
    label: ({ name }) => t('removeService', { name }),
    lead: t('removeServiceLead'),
    onConfirm: (service) => change(`${path}/${service.id}`, { method: 'DELETE', invalidates: [path] }),
  })
  const actions: Column<Service> = {
    title: t('actions'),
    cell: (service) => (
      <span className="actions">
        <DialogButton
          kind="quiet"
          text={t('changeRoles')}
          aria-label={`${t('changeRoles')}: ${service.name}`}
        >
          {(close) => (
            <RolesDialog
              path={`${path}/${service.id}/roles`}
              list={path}
              name={service.name}
              onClose={close}
            />
          )}
        </DialogButton>
        {removal.cell(service)}
      </span>
    ),
  }
  return (
    <Card
      title={t('services')}
      lead={t('servicesLead')}
      actions={
        mayWrite &&
        mayRead && (
          <DialogButton kind="primary" text={t('addService')}>
            {(close) => <AddService path={path} onClose={close} />}
          </DialogButton>
        )
      }
    >
      <PagedTable<Service>
        path={path}
        label={t('services')}
        keyOf={(service) => service.id}
        empty={<p>{t('noServices')}</p>}
        columns={[
          {
            title: t('name'),
            cell: (service) =>
              mayRead ? <Link href={`/applications/${service.id}`}>{service.name}</Link> : service.name,
          },
          { title: t('roles'), cell: ({ roles }) => roles.map(({ name }) => name).join(', ') },
          { title: t('since'), cell: ({ joinedAt }) => date(joinedAt), isHiddenOnPhones: true },
          ...(mayWrite ? [actions] : []),
        ]}
      />
      {question}
    </Card>
  )
}

/** The most services that are offered. The API lists no others, because it lists applications of all types. */
const MAX_OFFERED = 100

function AddService({ path, onClose }: { path: string; onClose: () => void }) {
  const t = useT(memberPhrases)
  const { number } = useFormats()
  const change = useChange()
  const notify = useNotify()
  const [serviceId, setServiceId] = useState('')
  const [roleIds, setRoleIds] = useState<readonly string[]>([])
  const query = { page_size: MAX_OFFERED }
  const all = useApi<Pick<Service, 'id' | 'name' | 'type'>[]>('/applications', { query })
  const members = useApi<Service[]>(path, { query })
  if (!all.data || !members.data)
    return (
      <Dialog title={t('addService')} onClose={onClose}>
        <Loading failure={all.error ?? members.error} onRetry={all.error ? all.refetch : members.refetch} />
      </Dialog>
    )
  const present = new Set(members.data.data.map(({ id }) => id))
  const services = all.data.data.filter(({ id, type }) => type === 'MachineToMachine' && !present.has(id))
  const add = async () => {
    await change(path, { method: 'POST', body: { applicationIds: [serviceId], roleIds } })
    notify.success(
      t('serviceAdded', { name: services.find(({ id }) => id === serviceId)?.name ?? serviceId }),
    )
    onClose()
  }
  return (
    <Dialog title={t('addService')} onClose={onClose}>
      <RequireStepUp>
        <DialogForm action={t('add')} isIncomplete={serviceId === ''} onSubmit={add} onClose={onClose}>
          {() => (
            <>
              {services.length === 0 && <p>{t('noOtherService', { count: number(MAX_OFFERED) })}</p>}
              <Select
                label={t('chooseService')}
                value={serviceId}
                options={[
                  { value: '', label: t('chooseService') },
                  ...services.map(({ id, name }) => ({ value: id, label: name })),
                ]}
                onChange={setServiceId}
              />
              <RoleChoice value={roleIds} onChange={setRoleIds} />
            </>
          )}
        </DialogForm>
      </RequireStepUp>
    </Dialog>
  )
}
