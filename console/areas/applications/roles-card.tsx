import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { RoleAssignment } from '../role-assignment.tsx'
import { roleChangePhrases } from '../role-change-phrases.ts'
import { useServiceRoles } from '../service-roles.ts'
import type { Application } from './application.ts'

/** Edits the roles of a service, whose tokens contain the scopes of its roles (spec/console#service-roles). */
export default function RolesCard({
  application: { id, name },
  isReadOnly,
  onSecret,
}: {
  application: Application
  isReadOnly: boolean
  onSecret: (secret: string) => void
}) {
  const t = useT(roleChangePhrases)
  const mayWrite = useCan('roles:write')
  const { assign, remove, askToAssign, askToRemove } = useServiceRoles()
  return (
    <RoleAssignment
      path={`/applications/${id}/roles`}
      lead={t('serviceRolesLead')}
      empty={t('noServiceRoles')}
      mayWrite={mayWrite && !isReadOnly}
      assign={async (roleId) => {
        const secret = await assign(roleId, id)
        if (secret) onSecret(secret)
      }}
      remove={(roleId) => remove(roleId, id)}
      askToAssign={(role) => askToAssign(name, role)}
      askToRemove={(role) => askToRemove(name, role)}
    />
  )
}
