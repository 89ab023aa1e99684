import { useState } from 'react'
import { Link } from 'wouter'
import type { MembershipSource } from '../../../src/contract/organisations/organizations.ts'
import { toSearchPattern } from '../../../src/domain/users/user-list.ts'
import { useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { DialogButton, useRemovalColumn } from '../../ui/dialog-button.tsx'
import { Select, TextField, useDebounced } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { formatUserName, type NamedUser } from '../users/name-of.ts'
import { AddMembers } from './add-members.tsx'
import { memberPhrases } from './member-phrases.ts'
import { useOrganizationRoles } from './organisation-roles.tsx'
import { RolesDialog } from './roles-dialog.tsx'

type Member = {
  user: NamedUser
  roles: { id: string; name: string; sources: MembershipSource[] }[]
  sources: MembershipSource[]
  joinedAt: number
}

/** The time in milliseconds for which the user has to stop typing before the search starts. */
const DELAY_MS = 200

/** Lists the members of an organisation, changes their roles, and adds and removes members. */
export default function Members({ id }: { id: string }) {
  const t = useT(memberPhrases)
  const { date } = useFormats()
  const mayReadUsers = useCan('users:read')
  const mayWrite = useCan('organizations:write')
  const change = useChange()
  const [typed, setTyped] = useState('')
  const [roleId, setRoleId] = useState('')
  const [page, onPage] = useState(1)
  const search = toSearchPattern(useDebounced(typed, DELAY_MS))
  const roles = useOrganizationRoles()
  const path = `/organizations/${encodeURIComponent(id)}/users`
  const memberPath = ({ user }: Member) => `${path}/${encodeURIComponent(user.id)}`
  const nameOf = ({ user }: Member) => formatUserName(user)
  const [removal, question] = useRemovalColumn<Member>({
    action: t('remove'),
    label: (member) => t('removeMember', { name: nameOf(member) }),
    lead: t('removeMemberLead'),
    onConfirm: (member) => change(memberPath(member), { method: 'DELETE', invalidates: [path, '/users'] }),
  })
  const actions: Column<Member> = {
    title: t('actions'),
    cell: (member) => (
      <span className="actions">
        <DialogButton
          kind="quiet"
          text={t('changeRoles')}
          aria-label={`${t('changeRoles')}: ${nameOf(member)}`}
        >
          {(close) => (
            <RolesDialog
              path={`${memberPath(member)}/roles`}
              list={path}
              name={nameOf(member)}
              onClose={close}
            />
          )}
        </DialogButton>
        {removal.cell(member)}
      </span>
    ),
  }
  return (
    <Card
      title={t('members')}
      lead={t('membersLead')}
      actions={
        mayWrite &&
        mayReadUsers && (
          <DialogButton kind="primary" text={t('addMembers')}>
            {(close) => <AddMembers path={path} onClose={close} />}
          </DialogButton>
        )
      }
    >
      <search className="filters">
        <TextField
          label={t('search')}
          type="search"
          value={typed}
          placeholder={t('searchHint')}
          onChange={(text) => {
            setTyped(text)
            onPage(1)
          }}
        />
        {roles && (
          <Select
            label={t('role')}
            value={roleId}
            options={[
              { value: '', label: t('any') },
              ...roles.map((role) => ({ value: role.id, label: role.name })),
            ]}
            onChange={(role) => {
              setRoleId(role)
              onPage(1)
            }}
          />
        )}
      </search>
      <PagedTable<Member>
        path={path}
        query={{ search, roleId }}
        at={{ page, onPage }}
        label={t('members')}
        keyOf={({ user }) => user.id}
        empty={<p>{t(search || roleId ? 'noMatch' : 'noMembers')}</p>}
        showsTotal
        columns={[
          {
            title: t('name'),
            cell: (member) =>
              mayReadUsers ? <Link href={`/users/${member.user.id}`}>{nameOf(member)}</Link> : nameOf(member),
          },
          { title: t('roles'), cell: (member) => member.roles.map(({ name }) => name).join(', ') },
          {
            title: t('source'),
            cell: ({ sources }) => sources.map((source) => t(source)).join(', '),
            isHiddenOnPhones: true,
          },
          { title: t('joined'), cell: ({ joinedAt }) => date(joinedAt), isHiddenOnPhones: true },
          ...(mayWrite ? [actions] : []),
        ]}
      />
      {question}
    </Card>
  )
}
