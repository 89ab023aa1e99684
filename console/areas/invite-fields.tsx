import type { INVITATION_LIFETIMES, InvitationKind } from '../../src/contract/access/invitations.ts'
import { ADMINISTRATOR_ROLES } from '../../src/contract/access/management-scopes.ts'
import { builtInLanguages } from '../../src/contract/experience/languages.ts'
import { languageNames } from '../../src/domain/experience/language-names.ts'
import { useT } from '../phrases.ts'
import { isAdministratorRole } from '../session/authority.ts'
import { Checkbox, Select, TextField } from '../ui/fields.tsx'
import { useRoleWords } from './administrator-roles.ts'
import { invitationPhrases } from './invitation-phrases.ts'
import { useRoles } from './roles.ts'

export type InviteValues = {
  email: string
  name: string
  roleIds: readonly string[]
  lifetime: keyof typeof INVITATION_LIFETIMES
  language: string
  delivery: 'email' | 'link'
}

type FieldsProps = {
  kind: InvitationKind
  values: InviteValues
  problems: Readonly<Record<string, string | undefined>>
  /** Is false if the tenant is known to have no email connector. */
  hasMail: boolean
  edit: (changes: Partial<InviteValues>) => void
}

/** The fields of an invitation. */
export function InviteFields({ kind, values, problems, hasMail, edit }: FieldsProps) {
  const t = useT(invitationPhrases)
  const lifetimes = ['hour', 'day', 'week'] as const
  return (
    <>
      <TextField
        label={t('email')}
        type="email"
        autoComplete="off"
        value={values.email}
        problem={problems.email}
        onChange={(email) => edit({ email })}
      />
      {kind === 'administrator' ? (
        <AdministratorRole
          value={values.roleIds[0] ?? ''}
          onChange={(roleId) => edit({ roleIds: [roleId] })}
        />
      ) : (
        <>
          <TextField
            label={t('name')}
            autoComplete="off"
            value={values.name}
            problem={problems.name}
            onChange={(name) => edit({ name })}
          />
          <UserRoles value={values.roleIds} onChange={(roleIds) => edit({ roleIds })} />
        </>
      )}
      <Select
        label={t('delivery')}
        hint={t(values.delivery === 'email' ? 'emailHint' : hasMail ? 'linkHint' : 'directHint')}
        value={values.delivery}
        options={[
          { value: 'email', label: t('sendEmail') },
          { value: 'link', label: t('copyLink') },
        ]}
        onChange={(delivery) => edit({ delivery })}
      />
      <Select
        label={t('validity')}
        value={values.lifetime}
        problem={problems.lifetimeSeconds}
        options={lifetimes.map((value) => ({ value, label: t(value) }))}
        onChange={(lifetime) => edit({ lifetime })}
      />
      <Select
        label={t('messageLanguage')}
        value={values.language}
        options={[
          { value: '', label: t('tenantLanguage') },
          ...languageNames(builtInLanguages).map(({ tag, name }) => ({ value: tag, label: name })),
        ]}
        onChange={(language) => edit({ language })}
      />
    </>
  )
}

type AdministratorRoleProps = { value: string; onChange: (roleId: string) => void }

function AdministratorRole({ value, onChange }: AdministratorRoleProps) {
  const t = useT(invitationPhrases)
  const roles = useRoleWords()
  return (
    <Select
      label={t('role')}
      hint={roles.leadOf(value)}
      value={value}
      options={ADMINISTRATOR_ROLES.map(({ id }) => ({ value: id, label: roles.title(id) }))}
      onChange={onChange}
    />
  )
}

type UserRolesProps = { value: readonly string[]; onChange: (roleIds: readonly string[]) => void }

function UserRoles({ value, onChange }: UserRolesProps) {
  const t = useT(invitationPhrases)
  const roles = (useRoles() ?? []).filter(({ id }) => !isAdministratorRole(id))
  if (roles.length === 0) return null
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
    </fieldset>
  )
}
