import { Link } from 'wouter'
import type { z } from 'zod'
import type { OrganizationApplication } from '../../../src/contract/organisations/organizations.schema.ts'
import { useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { DialogButton, useRemovalColumn } from '../../ui/dialog-button.tsx'
import { Card } from '../../ui/page.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { AddService } from './add-service.tsx'
import { memberPhrases } from './member-phrases.ts'
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
