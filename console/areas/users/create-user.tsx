import { useState } from 'react'
import { useLocation } from 'wouter'
import type { User } from '../../../src/contract/users.schema.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useExplanation } from '../../ui/toast.tsx'
import { useWords } from '../../ui/words.ts'
import { texts } from './phrases.ts'

const fields = [
  { key: 'name', label: 'name', type: 'text' },
  { key: 'primaryEmail', label: 'email', type: 'email' },
  { key: 'username', label: 'username', type: 'text' },
  { key: 'primaryPhone', label: 'phone', type: 'tel' },
  { key: 'password', label: 'password', type: 'password' },
] as const

export function CreateUser({ onClose }: { onClose: () => void }) {
  const t = useT(texts)
  const words = useWords()
  const explain = useExplanation()
  const change = useChange()
  const [, go] = useLocation()
  const [given, setGiven] = useState<Partial<Record<(typeof fields)[number]['key'], string>>>({})
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function create() {
    setBusy(true)
    setProblem(null)
    try {
      const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
      const { data } = await change<User>('/users', { method: 'POST', body })
      go(`/users/${data.id}`)
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) throw failure
      setProblem(failure)
      setBusy(false)
    }
  }

  const isAtField = problem !== null && fields.some(({ key }) => problem.fields[key] !== undefined)
  return (
    <Dialog title={t('create')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        {fields.map(({ key, label, type }) => (
          <TextField
            key={key}
            label={t(label)}
            type={type}
            hint={
              key === 'primaryPhone' ? t('phoneHint') : key === 'password' ? t('newPasswordHint') : undefined
            }
            autoComplete={key === 'password' ? 'new-password' : 'off'}
            value={given[key] ?? ''}
            problem={problem?.fields[key]}
            onChange={(value) => setGiven({ ...given, [key]: value })}
          />
        ))}
        {problem && !isAtField && (
          <p className="problem" role="alert">
            {explain(problem)}
          </p>
        )}
        <div className="actions">
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={isBusy}>
            {t('create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
