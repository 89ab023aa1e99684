import { useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useExplanation, useNotify } from '../../ui/toast.tsx'
import { useWords } from '../../ui/words.ts'
import { texts } from './phrases.ts'
import { RecentSignIn } from './recent-sign-in.tsx'

/** The password is typed here and kept nowhere, so an old sign-in is renewed before it is typed. */
export function SetPassword({ path, onClose }: { path: string; onClose: () => void }) {
  const t = useT(texts)
  const words = useWords()
  const explain = useExplanation()
  const notify = useNotify()
  const change = useChange()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      await change(`${path}/password`, { method: 'PATCH', body: { password }, invalidates: [path] })
      notify.success(t('passwordSet'))
      onClose()
    } catch (failure) {
      setProblem(failure)
      setBusy(false)
    }
  }
  const said = problem instanceof ApiProblem ? (problem.fields.password ?? explain(problem)) : null
  return (
    <Dialog title={t('setPassword')} onClose={onClose}>
      <RecentSignIn>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <TextField
            label={t('password')}
            type="password"
            autoComplete="new-password"
            hint={t('setPasswordHint')}
            value={password}
            problem={said ?? undefined}
            onChange={setPassword}
          />
          <div className="actions">
            <Button onPress={onClose}>{words('cancel')}</Button>
            <Button kind="primary" type="submit" isDisabled={isBusy || password === ''}>
              {t('setPassword')}
            </Button>
          </div>
        </form>
      </RecentSignIn>
    </Dialog>
  )
}
