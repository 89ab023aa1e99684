import { useState } from 'react'
import type { OrganizationDomain } from '../../../src/contract/organisations/domains.schema.ts'
import { domainJoinModes } from '../../../src/contract/organisations/organizations.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Select, TextField } from '../../ui/fields.tsx'
import { RequireStepUp } from '../../ui/step-up.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { domainPhrases } from './domain-phrases.ts'
import { RoleChoice } from './organisation-roles.tsx'

type DomainDialogProps = {
  /** The path of the list of domains. */
  list: string
  /** The domain to change, or undefined to add one. */
  stored?: OrganizationDomain
  onDone: (domain: OrganizationDomain) => void
  onClose: () => void
}

/** Adds a domain to an organisation, or changes who joins by it. */
export function DomainDialog({ list, stored, onDone, onClose }: DomainDialogProps) {
  const t = useT(domainPhrases)
  const change = useChange()
  const notify = useNotify()
  const [domain, setDomain] = useState(stored?.domain ?? '')
  const [join, setJoin] = useState(stored?.join ?? 'off')
  const [roleIds, setRoleIds] = useState<readonly string[]>(stored?.roleIds ?? [])
  const save = async () => {
    const { data } = stored
      ? await change<OrganizationDomain>(`${list}/${stored.domain}`, {
          method: 'PATCH',
          body: { join, roleIds },
          invalidates: [list],
        })
      : await change<OrganizationDomain>(list, {
          method: 'POST',
          body: { domain: domain.trim(), join, roleIds },
        })
    if (stored) notify.success(t('domainSaved', { domain }))
    onDone(data)
  }
  return (
    <Dialog title={stored ? t('editDomain', { domain }) : t('addDomain')} onClose={onClose}>
      <RequireStepUp>
        <DialogForm
          action={t(stored ? 'save' : 'add')}
          isIncomplete={domain.trim() === ''}
          fields={['domain']}
          onSubmit={save}
          onClose={onClose}
        >
          {(problems) => (
            <>
              {!stored && (
                <TextField
                  label={t('domain')}
                  hint={t('domainHint')}
                  isCode
                  autoComplete="off"
                  value={domain}
                  problem={problems.domain}
                  onChange={setDomain}
                />
              )}
              <Select
                label={t('join')}
                value={join}
                options={domainJoinModes.map((value) => ({ value, label: t(value) }))}
                onChange={setJoin}
              />
              {join !== 'off' && (
                <>
                  <RoleChoice value={roleIds} onChange={setRoleIds} />
                  <p className="hint">{t('rolesOfJoined')}</p>
                </>
              )}
            </>
          )}
        </DialogForm>
      </RequireStepUp>
    </Dialog>
  )
}
