import type { z } from 'zod'
import type { OrganizationRoleSchema } from '../../../src/contract/organisations/template.schema.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Checkbox } from '../../ui/fields.tsx'

export type OrganizationRole = z.infer<typeof OrganizationRoleSchema>
type NamedRole = Pick<OrganizationRole, 'id' | 'name'>

const texts = phrases({
  en: { none: 'Without a role, members have no permissions.' },
  de: { none: 'Ohne Rolle haben Mitglieder keine Berechtigungen.' },
})

/**
 * Returns the first hundred roles of the template, with that of owners first. Returns undefined if the user may not
 * read roles.
 */
export function useOrganizationRoles(): readonly OrganizationRole[] | undefined {
  return useApi<OrganizationRole[]>('/organization-roles', {
    query: { page_size: 100 },
    isEnabled: useCan('roles:read'),
  }).data?.data
}

/** Returns a function that names roles by their ids. A role that the user may not read is named by its id. */
export function useOrganizationRoleNames() {
  const roles = useOrganizationRoles() ?? []
  return (ids: readonly string[]) =>
    ids.map((id) => roles.find((role) => role.id === id)?.name ?? id).join(', ')
}

type ChoiceProps = {
  /** The roles that are chosen already, in case the user may not read the others. */
  known?: readonly NamedRole[]
  value: readonly string[]
  onChange: (roleIds: readonly string[]) => void
}

/** A choice of roles of the template. */
export function RoleChoice({ known = [], value, onChange }: ChoiceProps) {
  const t = useT(texts)
  const roles: readonly NamedRole[] = useOrganizationRoles() ?? known
  return (
    <fieldset className="group">
      <legend>{t('roles')}</legend>
      {roles.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          isSelected={value.includes(id)}
          onChange={(isSelected) =>
            onChange(isSelected ? [...value, id] : value.filter((roleId) => roleId !== id))
          }
        />
      ))}
      {value.length === 0 && <p className="hint">{t('none')}</p>}
    </fieldset>
  )
}
