import { useState } from 'react'
import { useApi } from '../api/queries.ts'
import { useT } from '../phrases.ts'
import { canManage, isRoleAboveUser, useRoleScopes } from '../session/authority.ts'
import { usePermissions } from '../session/permissions.tsx'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/fields.tsx'
import { Card, Loading } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { useRoleWords } from './administrator-roles.ts'
import { type RoleQuestion, useRoleChange } from './role-change.tsx'
import { roleChangePhrases } from './role-change-phrases.ts'
import { HOLDER_ROLES_QUERY, type Role, useRoles } from './roles.ts'

type RoleAssignmentProps = {
  /** The path of the list of roles of the user or the service. */
  path: string
  lead?: string
  empty: string
  mayWrite: boolean
  assign: (roleId: string) => Promise<unknown>
  remove: (roleId: string) => Promise<unknown>
  /** Returns the question to ask first, or null if the change can be undone. */
  askToAssign?: (role: Role) => Promise<RoleQuestion | null>
  askToRemove: (role: Role) => Promise<RoleQuestion | null>
}

/** Edits the roles of a user or a service. */
export function RoleAssignment(props: RoleAssignmentProps) {
  const { path, lead, empty, mayWrite, assign, remove, askToAssign, askToRemove } = props
  const t = useT(roleChangePhrases)
  const { nameOf, leadOf } = useRoleWords()
  const { scopes: own } = usePermissions()
  const all = useRoles()
  const [chosen, setChosen] = useState('')
  const ofChosen = useRoleScopes(chosen || null)
  const { scopes } = ofChosen
  const isBelow = scopes && canManage(own, scopes)
  const { data, error, refetch } = useApi<Role[]>(path, { query: HOLDER_ROLES_QUERY })
  const changes = useRoleChange(refetch)
  if (!data) return <Loading failure={error} onRetry={refetch} />
  const others = (all ?? []).filter(
    ({ id }) => !data.data.some((role) => role.id === id) && !isRoleAboveUser(id, own),
  )

  const pressAssign = async () => {
    const role = others.find(({ id }) => id === chosen)
    if (!role) return
    await changes.press({
      kind: 'assign',
      ask: askToAssign && (() => askToAssign(role)),
      async change() {
        await assign(role.id)
        setChosen('')
      },
      undo: () => remove(role.id),
      success: t('roleAssigned', { name: nameOf(role) }),
    })
  }
  const pressRemove = (role: Role) =>
    changes.press({
      kind: 'remove',
      ask: () => askToRemove(role),
      change: () => remove(role.id),
      undo: () => assign(role.id),
      success: t('roleRemoved', { name: nameOf(role) }),
    })

  const columns = [{ title: t('role'), cell: (role: Role) => nameOf(role) }]
  const removal = {
    title: t('remove'),
    cell: (role: Role) => (
      <Button
        kind="quiet"
        aria-label={`${t('removeRole')}: ${nameOf(role)}`}
        onPress={() => pressRemove(role)}
      >
        {t('removeRole')}
      </Button>
    ),
  }
  const chosenHint =
    leadOf(chosen) ?? (scopes && scopes.length > 0 && scopes.map(({ name }) => name).join(', '))
  return (
    <Card title={t('roles')} lead={lead}>
      {changes.alert}
      <Table
        label={t('roles')}
        rows={data.data}
        keyOf={({ id }) => id}
        empty={<p>{empty}</p>}
        columns={mayWrite ? [...columns, removal] : columns}
      />
      {mayWrite && others.length > 0 && (
        <div className="filters">
          <Select
            label={t('anotherRole')}
            value={chosen}
            options={[
              { value: '', label: t('chooseRole') },
              ...others.map((role) => ({ value: role.id, label: nameOf(role) })),
            ]}
            onChange={setChosen}
          />
          <Button isDisabled={chosen === '' || !isBelow} onPress={pressAssign}>
            {t('assignRole')}
          </Button>
          {chosenHint && (
            <p className="hint" role="status">
              {chosenHint}
            </p>
          )}
          {isBelow === false && <p className="hint">{t('roleIsAbove')}</p>}
          {ofChosen.failure && <Loading failure={ofChosen.failure} onRetry={ofChosen.retry} />}
        </div>
      )}
      {changes.dialog}
    </Card>
  )
}
