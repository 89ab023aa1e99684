import { OWNER_ROLE } from '../../../src/contract/organisations/organizations.ts'
import { useTexts } from '../account-view.tsx'
import { CheckboxGroup } from './checkbox-group.tsx'

/** A role of the template. `mayAssign` is false if the role can do more than those of the user. */
export type Role = { id: string; name: string; description: string | null; mayAssign: boolean }

/**
 * Lets the user choose roles for others. Roles that the user may not give or take stay as they are: the form sends
 * them, because it would take away a role that it omits.
 */
export function RoleChoice({
  id,
  roles,
  chosen,
}: {
  id: string
  roles: readonly Role[]
  chosen: readonly string[]
}) {
  const t = useTexts()
  const listed = roles.filter(({ id: roleId, mayAssign }) => mayAssign || chosen.includes(roleId))
  if (listed.length === 0) return null
  return (
    <>
      {listed
        .filter(({ mayAssign }) => !mayAssign)
        .map((role) => (
          <input key={role.id} type="hidden" name="roleIds" value={role.id} />
        ))}
      <CheckboxGroup
        id={id}
        name="roleIds"
        legend={t('roles')}
        options={listed.map((role) => ({
          value: role.id,
          label: <bdi>{role.name}</bdi>,
          // The owner role is the same in every tenant, so its description is a phrase.
          hint: role.id === OWNER_ROLE.id ? t('owner_hint') : role.description,
          isDisabled: !role.mayAssign,
        }))}
        chosen={chosen}
      />
    </>
  )
}
