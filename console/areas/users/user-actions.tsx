import { useState } from 'react'
import { useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useMay, usePermissions } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { nameOf } from './name-of.ts'
import { texts } from './phrases.ts'
import type { ManagedUser } from './profile.ts'
import { requireRecentProof } from './recent-proof.ts'

/** What is done to an account as a whole. A suspension can be taken back, a deletion cannot. */
export function UserActions({ user }: { user: ManagedUser }) {
  const t = useT(texts)
  const { date } = useFormats()
  const notify = useNotify()
  const change = useChange()
  const mayWrite = useMay('users:write')
  const { userId } = usePermissions()
  const [isDeleting, setDeleting] = useState(false)
  if (!mayWrite) return null
  const path = `/users/${encodeURIComponent(user.id)}`

  const suspend = (isSuspended: boolean) =>
    change(`${path}/is-suspended`, {
      method: 'PATCH',
      body: { isSuspended },
      invalidates: ['/users', '/roles'],
    })
  const tried = async (act: () => Promise<unknown>, said: string, undo?: () => Promise<void>) => {
    try {
      await act()
      notify.success(said, undo)
    } catch (failure) {
      notify.failure(failure)
    }
  }
  const toggle = () =>
    tried(
      () => suspend(!user.isSuspended),
      t(user.isSuspended ? 'isActivated' : 'isSuspended'),
      async () => {
        // Only what lets somebody in needs a recent sign-in.
        if (!user.isSuspended) await requireRecentProof(t('activateOldSignIn'))
        await suspend(user.isSuspended)
      },
    )
  const keep = () =>
    tried(() => change(`${path}/deletion`, { method: 'DELETE', invalidates: [path] }), t('isKept'))

  const isSelf = user.id === userId
  return (
    <>
      {user.deletion && <Button onPress={keep}>{t('keep', { date: date(user.deletion.dueAt) })}</Button>}
      <Button onPress={toggle} isDisabled={isSelf}>
        {t(user.isSuspended ? 'activate' : 'suspend')}
      </Button>
      <Button kind="danger" isDisabled={isSelf} onPress={() => setDeleting(true)}>
        {t('delete')}
      </Button>
      {isDeleting && (
        <DeleteDialog
          title={t('deleteTitle', { name: nameOf(user) })}
          lead={t('deleteLead')}
          typed={user.username ?? user.primaryEmail ?? user.id}
          path={path}
          list="/users"
          back="/users"
          said={t('isDeleted')}
          alsoChanged={['/roles']}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}
