import { useState } from 'react'
import type { UserBulkChange, UserBulkResponse } from '../../../src/contract/users/user-bulk.schema.ts'
import type { User } from '../../../src/contract/users/users.schema.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { isRoleAboveUser } from '../../session/authority.ts'
import { usePermissions } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/fields.tsx'
import { useRoleWords } from '../administrator-roles.ts'
import { useRoles } from '../roles.ts'
import { filterTexts } from './filter-phrases.ts'
import { formatUserName } from './name-of.ts'

type Operation = UserBulkChange['operation']

/**
 * An outcome remains visible after the users are no longer selected, because a rejection has a reason for each user.
 */
type Outcome = { changed: number; rejected: { id: string; name: string; reason: string }[] }

type BulkActionsProps = { users: readonly User[]; onDone: () => void }

/** The changes that the operator can make to the selected users, and the outcome of the last one. */
export default function BulkActions({ users, onDone }: BulkActionsProps) {
  const t = useT(filterTexts)
  const { nameOf } = useRoleWords()
  const { scopes } = usePermissions()
  const change = useChange()
  const assignable = useRoles()?.filter(({ id }) => !isRoleAboveUser(id, scopes))
  const [roleId, setRoleId] = useState('')
  const [operation, setOperation] = useState<Operation | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const count = users.length
  const role = assignable?.find(({ id }) => id === roleId)

  const ask = (next: Operation) => {
    setOutcome(null)
    setOperation(next)
  }
  const run = async () => {
    const userIds = users.map(({ id }) => id)
    const body = { operation, userIds, ...(operation === 'assignRole' && { roleId }) }
    const { data } = await change<UserBulkResponse>('/users/bulk', {
      method: 'POST',
      body,
      invalidates: ['/users', '/roles'],
    })
    const names = new Map(users.map((user) => [user.id, formatUserName(user)]))
    const rejected = data.results.flatMap(({ id, error }) =>
      error ? [{ id, name: names.get(id) ?? id, reason: error.message }] : [],
    )
    setOutcome({ changed: data.results.length - rejected.length, rejected })
    onDone()
  }
  const questions = {
    suspend: { title: t('suspendTitle', { count }), lead: t('suspendLead'), action: t('suspend') },
    reinstate: {
      title: t('reinstateTitle', { count }),
      lead: t('reinstateLead'),
      action: t('reinstate'),
    },
    delete: {
      title: t('deleteManyTitle', { count }),
      lead: t('deleteManyLead'),
      action: t('delete'),
      confirmationText: String(count),
    },
    assignRole: {
      title: t('assignTitle', { count, role: role ? nameOf(role) : '' }),
      lead: t('assignLead'),
      action: t('assignRoleTo'),
    },
  }
  return (
    <>
      {count > 0 && (
        <div className="actions">
          <span role="status">{t('selectedUsers', { count })}</span>
          <Button onPress={() => ask('suspend')}>{t('suspend')}</Button>
          <Button onPress={() => ask('reinstate')}>{t('reinstate')}</Button>
          <Button kind="danger" onPress={() => ask('delete')}>
            {t('delete')}
          </Button>
          {assignable && (
            <>
              <Select
                label={t('chooseRole')}
                isLabelHidden
                value={roleId}
                options={[
                  { value: '', label: t('chooseRole') },
                  ...assignable.map((each) => ({ value: each.id, label: nameOf(each) })),
                ]}
                onChange={setRoleId}
              />
              <Button isDisabled={!role} onPress={() => ask('assignRole')}>
                {t('assignRoleTo')}
              </Button>
            </>
          )}
        </div>
      )}
      <div role="status" aria-label={t('outcome')}>
        {outcome && <OutcomeText outcome={outcome} />}
      </div>
      {operation && (
        <ConfirmDialog {...questions[operation]} onConfirm={run} onClose={() => setOperation(null)} />
      )}
    </>
  )
}

function OutcomeText({ outcome: { changed, rejected } }: { outcome: Outcome }) {
  const t = useT(filterTexts)
  return (
    <>
      {(changed > 0 || rejected.length === 0) && <p>{t('changedUsers', { count: changed })}</p>}
      {rejected.length > 0 && (
        <>
          <p>{t('rejectedUsers', { count: rejected.length })}</p>
          <ul>
            {rejected.map(({ id, name, reason }) => (
              <li key={id}>
                {name}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
