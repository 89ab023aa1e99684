import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ApplicationType } from '../../../src/contract/applications/applications.ts'
import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/fields.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { newSecrets } from '../applications/application.ts'
import { useRoleChange } from '../role-change.tsx'
import type { Role } from '../roles.ts'
import { useServiceRoles } from '../service-roles.ts'
import { texts } from './phrases.ts'

type Service = { id: string; name: string; type: ApplicationType }

/** Lists the services with a role, and assigns it to services or removes it from them (spec/console#service-roles). */
export default function RoleServices({ role, mayWrite }: { role: Role; mayWrite: boolean }) {
  const t = useT(texts)
  const mayRead = useCan('applications:read')
  const [, go] = useLocation()
  const { assign, remove, askToAssign, askToRemove } = useServiceRoles()
  const client = useQueryClient()
  const path = `/roles/${role.id}/applications`
  const changes = useRoleChange(() => client.invalidateQueries({ queryKey: [path] }))

  const assignTo = async (id: string) => {
    const secret = await assign(role.id, id)
    if (!secret) return
    // The page of the service shows the secret that replaced the old one.
    newSecrets.put(id, secret)
    go(`/applications/${id}`)
  }
  const pressAssign = (service: Service) =>
    changes.press({
      kind: 'assign',
      ask: () => askToAssign(service.name, role),
      change: () => assignTo(service.id),
      undo: () => remove(role.id, service.id),
      success: t('serviceAdded', service),
    })
  const pressRemove = (service: Service) =>
    changes.press({
      kind: 'remove',
      ask: () => askToRemove(service.name, role),
      change: () => remove(role.id, service.id),
      undo: () => assignTo(service.id),
      success: t('serviceRemoved', service),
    })

  const columns = [
    {
      title: t('name'),
      cell: ({ id, name }: Service) => (mayRead ? <Link href={`/applications/${id}`}>{name}</Link> : name),
    },
  ]
  const removal = {
    title: t('remove'),
    cell: (service: Service) => (
      <Button
        kind="quiet"
        aria-label={`${t('remove')}: ${service.name}`}
        onPress={() => pressRemove(service)}
      >
        {t('remove')}
      </Button>
    ),
  }
  return (
    <Card title={t('services')} lead={t('servicesLead')}>
      {changes.alert}
      <PagedTable<Service>
        path={path}
        label={t('services')}
        keyOf={({ id }) => id}
        empty={<p>{t('noServices')}</p>}
        columns={mayWrite ? [...columns, removal] : columns}
      />
      {mayWrite && mayRead && <ServiceChoice path={path} onAssign={pressAssign} />}
      {changes.dialog}
    </Card>
  )
}

/** The most services that are offered at once. Others can be given the role on their own pages. */
const MAX_OFFERED = 100

function ServiceChoice({ path, onAssign }: { path: string; onAssign: (service: Service) => Promise<void> }) {
  const t = useT(texts)
  const { number } = useFormats()
  const [chosen, setChosen] = useState('')
  const query = { page_size: MAX_OFFERED }
  const { data, error, refetch } = useApi<Service[]>('/applications', { query })
  const members = useApi<Service[]>(path, { query }).data?.data ?? []
  if (!data) return <Loading failure={error} onRetry={refetch} />
  const services = data.data.filter(
    ({ id, type }) => type === 'MachineToMachine' && !members.some((member) => member.id === id),
  )
  if (services.length === 0)
    return (
      <p className="hint">
        {t('noMachines')} <Link href="/applications/~new">{t('newMachine')}</Link>
      </p>
    )
  return (
    <div className="filters">
      <Select
        label={t('addService')}
        hint={(data.total ?? 0) > MAX_OFFERED && t('newestOffered', { count: number(MAX_OFFERED) })}
        value={chosen}
        options={[
          { value: '', label: t('chooseService') },
          ...services.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={setChosen}
      />
      <Button
        isDisabled={chosen === ''}
        onPress={async () => {
          const service = services.find(({ id }) => id === chosen)
          if (service) await onAssign(service)
          setChosen('')
        }}
      >
        {t('giveToService')}
      </Button>
    </div>
  )
}
