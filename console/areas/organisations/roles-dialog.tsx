import { useState } from 'react'
import type { MembershipSource } from '../../../src/contract/organisations/organizations.ts'
import { toProblem } from '../../api/problem.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Loading } from '../../ui/page.tsx'
import { RequireStepUp } from '../../ui/step-up.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { memberPhrases } from './member-phrases.ts'
import { RoleChoice } from './organisation-roles.tsx'

/** A role of a member or a service. A service gets its roles by hand only, so they have no sources. */
type AssignedRole = { id: string; name: string; sources?: MembershipSource[] }

const isManual = ({ sources }: AssignedRole) => sources === undefined || sources.includes('manual')

type RolesDialogProps = {
  /** The path of the roles. */
  path: string
  /** The path of the list of members or services, which is read again after a change. */
  list: string
  name: string
  onClose: () => void
}

/** Changes the roles that a member or a service was given by hand. Roles from other sources stay. */
export function RolesDialog({ path, list, name, onClose }: RolesDialogProps) {
  const t = useT(memberPhrases)
  const change = useChange()
  const notify = useNotify()
  const { data, error, refetch } = useApi<AssignedRole[]>(path, { staleTime: 0 })
  const [chosen, setChosen] = useState<readonly string[] | null>(null)
  const roles = data?.data ?? []
  const roleIds = chosen ?? roles.filter(isManual).map(({ id }) => id)
  const others = roles.filter((role) => !isManual(role))
  const save = async () => {
    try {
      await change(path, {
        method: 'PUT',
        body: { roleIds },
        ifMatch: data?.etag ?? null,
        invalidates: [list, '/users'],
      })
    } catch (failure) {
      // Somebody else has changed the roles. The user sees the error and can save again.
      if (toProblem(failure).status === 412) await refetch()
      throw failure
    }
    notify.success(t('rolesChanged', { name }))
    onClose()
  }
  return (
    <Dialog title={t('rolesOf', { name })} onClose={onClose}>
      <RequireStepUp>
        {data ? (
          <DialogForm action={t('save')} onSubmit={save} onClose={onClose}>
            {() => (
              <>
                <RoleChoice known={roles} value={roleIds} onChange={setChosen} />
                {others.length > 0 && (
                  <p className="hint">
                    {t('otherRoles', { roles: others.map((role) => role.name).join(', ') })}
                  </p>
                )}
              </>
            )}
          </DialogForm>
        ) : (
          <Loading failure={error} onRetry={refetch} />
        )}
      </RequireStepUp>
    </Dialog>
  )
}
