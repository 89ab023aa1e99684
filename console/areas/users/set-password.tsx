import { useState } from 'react'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { RecentSignIn } from '../../ui/recent-sign-in.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { texts } from './phrases.ts'

/** The password is typed here and kept nowhere, so an old sign-in is renewed before it is typed. */
export function SetPassword({ path, onClose }: { path: string; onClose: () => void }) {
  const t = useT(texts)
  const notify = useNotify()
  const change = useChange()
  const [password, setPassword] = useState('')
  const save = async () => {
    await change(`${path}/password`, { method: 'PATCH', body: { password }, invalidates: [path] })
    notify.success(t('passwordSet'))
    onClose()
  }
  return (
    <Dialog title={t('setPassword')} onClose={onClose}>
      <RecentSignIn>
        <DialogForm
          action={t('setPassword')}
          isIncomplete={password === ''}
          fields={['password']}
          onSubmit={save}
          onClose={onClose}
        >
          {(problems) => (
            <TextField
              label={t('password')}
              type="password"
              autoComplete="new-password"
              hint={t('setPasswordHint')}
              value={password}
              problem={problems.password}
              onChange={setPassword}
            />
          )}
        </DialogForm>
      </RecentSignIn>
    </Dialog>
  )
}
