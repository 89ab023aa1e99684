import { useLocation } from 'wouter'
import type { User } from '../../../src/contract/users/users.schema.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { CreateDialog } from '../../ui/create-dialog.tsx'
import { texts } from './phrases.ts'

export function CreateUser({ onClose }: { onClose: () => void }) {
  const t = useT(texts)
  const change = useChange()
  const [, go] = useLocation()
  return (
    <CreateDialog
      title={t('create')}
      action={t('create')}
      needsRecentSignIn
      fields={[
        { name: 'name', label: t('name') },
        { name: 'primaryEmail', label: t('email'), type: 'email' },
        { name: 'username', label: t('username') },
        { name: 'primaryPhone', label: t('phone'), hint: t('phoneHint'), type: 'tel' },
        {
          name: 'password',
          label: t('password'),
          hint: t('newPasswordHint'),
          type: 'password',
          autoComplete: 'new-password',
        },
      ]}
      onClose={onClose}
      onCreate={async (given) => {
        const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
        const { data } = await change<User>('/users', { method: 'POST', body })
        go(`/users/${data.id}`)
      }}
    />
  )
}
