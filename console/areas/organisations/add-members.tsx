import { useState } from 'react'
import { toSearchPattern } from '../../../src/domain/users/user-list.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Checkbox, TextField, useDebounced } from '../../ui/fields.tsx'
import { Loading } from '../../ui/page.tsx'
import { RequireStepUp } from '../../ui/step-up.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { formatUserName, type NamedUser } from '../users/name-of.ts'
import { memberPhrases } from './member-phrases.ts'
import { RoleChoice } from './organisation-roles.tsx'

type AddMembersProps = {
  /** The path of the list of members. */
  path: string
  onClose: () => void
}

/** Makes users members of an organisation, with the same roles for all of them. */
export function AddMembers({ path, onClose }: AddMembersProps) {
  const t = useT(memberPhrases)
  const change = useChange()
  const notify = useNotify()
  const [users, setUsers] = useState<readonly NamedUser[]>([])
  const [roleIds, setRoleIds] = useState<readonly string[]>([])
  const add = async () => {
    const userIds = users.map(({ id }) => id)
    await change(path, { method: 'POST', body: { userIds, roleIds }, invalidates: [path, '/users'] })
    notify.success(t('membersAdded', { count: users.length }))
    onClose()
  }
  return (
    <Dialog title={t('addMembers')} onClose={onClose}>
      <RequireStepUp>
        <DialogForm action={t('add')} isIncomplete={users.length === 0} onSubmit={add} onClose={onClose}>
          {() => (
            <>
              <p>{t('addMembersLead')}</p>
              <UserChoice value={users} onChange={setUsers} />
              <RoleChoice value={roleIds} onChange={setRoleIds} />
            </>
          )}
        </DialogForm>
      </RequireStepUp>
    </Dialog>
  )
}

const DELAY_MS = 200
const MAX_OFFERED = 8

type UserChoiceProps = { value: readonly NamedUser[]; onChange: (users: readonly NamedUser[]) => void }

/** Finds users by their names and addresses. Those that were chosen before stay in the list. */
function UserChoice({ value, onChange }: UserChoiceProps) {
  const t = useT(memberPhrases)
  const [typed, setTyped] = useState('')
  const search = toSearchPattern(useDebounced(typed, DELAY_MS))
  const { data, error, refetch } = useApi<NamedUser[]>('/users', {
    query: { search, page_size: MAX_OFFERED },
    isEnabled: search !== '',
  })
  const isChosen = (user: NamedUser) => value.some(({ id }) => id === user.id)
  const offered = search === '' ? [] : (data?.data ?? []).filter((user) => !isChosen(user))
  const box = (user: NamedUser) => (
    <Checkbox
      key={user.id}
      label={formatUserName(user)}
      hint={user.primaryEmail ?? user.username ?? user.id}
      isSelected={isChosen(user)}
      onChange={(isSelected) =>
        onChange(isSelected ? [...value, user] : value.filter(({ id }) => id !== user.id))
      }
    />
  )
  return (
    <>
      {value.length > 0 && (
        <fieldset className="group">
          <legend>{t('chosenUsers')}</legend>
          {value.map(box)}
        </fieldset>
      )}
      <TextField
        label={t('findUsers')}
        type="search"
        autoComplete="off"
        placeholder={t('searchHint')}
        value={typed}
        onChange={setTyped}
      />
      {error && !data && <Loading failure={error} onRetry={refetch} />}
      {offered.map(box)}
      {search !== '' && data?.data.length === 0 && <p role="status">{t('noUser')}</p>}
    </>
  )
}
