import { useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useMay, usePermissions } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/dialog-button.tsx'
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
  if (!mayWrite) return null
  const path = `/users/${encodeURIComponent(user.id)}`

  const suspend = (isSuspended: boolean) =>
    change(`${path}/is-suspended`, {
      method: 'PATCH',
      body: { isSuspended },
      invalidates: ['/users', '/roles'],
    })
  const toggle = async () => {
    await suspend(!user.isSuspended)
    notify.success(t(user.isSuspended ? 'isActivated' : 'isSuspended'), async () => {
      // Only what lets somebody in needs a recent sign-in.
      if (!user.isSuspended) await requireRecentProof(t('activateOldSignIn'))
      await suspend(user.isSuspended)
    })
  }
  const keep = async () => {
    await change(`${path}/deletion`, { method: 'DELETE', invalidates: [path] })
    notify.success(t('isKept'))
  }

  const isSelf = user.id === userId
  return (
    <>
      {user.deletion && <Button onPress={keep}>{t('keep', { date: date(user.deletion.dueAt) })}</Button>}
      <Button onPress={toggle} isDisabled={isSelf}>
        {t(user.isSuspended ? 'activate' : 'suspend')}
      </Button>
      <DeleteButton
        isDisabled={isSelf}
        title={t('deleteTitle', { name: nameOf(user) })}
        lead={t('deleteLead')}
        typed={user.username ?? user.primaryEmail ?? user.id}
        path={path}
        back="/users"
        confirmation={t('isDeleted')}
        alsoChanged={['/roles']}
      />
    </>
  )
}
