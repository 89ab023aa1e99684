import { useState } from 'react'
import { useApi, useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Select } from '../../ui/fields.tsx'
import { Loading } from '../../ui/page.tsx'
import { RequireStepUp } from '../../ui/step-up.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { memberPhrases } from './member-phrases.ts'
import { RoleChoice } from './organisation-roles.tsx'

type Service = { id: string; name: string; type: string }

/** The most services that are offered. The API lists no others, because it lists applications of all types. */
const MAX_OFFERED = 100

type AddServiceProps = {
  /** The path of the list of services. */
  path: string
  onClose: () => void
}

/** Lets a machine-to-machine application act for an organisation. */
export function AddService({ path, onClose }: AddServiceProps) {
  const t = useT(memberPhrases)
  const { number } = useFormats()
  const change = useChange()
  const notify = useNotify()
  const [serviceId, setServiceId] = useState('')
  const [roleIds, setRoleIds] = useState<readonly string[]>([])
  const query = { page_size: MAX_OFFERED }
  const all = useApi<Service[]>('/applications', { query })
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
