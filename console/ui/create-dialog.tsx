import { useState } from 'react'
import { ApiProblem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './fields.tsx'
import { useExplanation } from './toast.tsx'
import { useWords } from './words.ts'

export type CreateField<Name extends string> = {
  name: Name
  label: string
  hint?: string
  isCode?: boolean
  initial?: string
  suggestions?: readonly string[]
}

/** Asks for the texts that a new entity needs. A refusal is shown at its field, or above the buttons; what was typed stays. */
export function CreateDialog<Name extends string>({
  title,
  action,
  fields,
  onCreate,
  onClose,
}: {
  title: string
  action: string
  fields: readonly CreateField<Name>[]
  onCreate: (values: Readonly<Record<Name, string>>) => Promise<void>
  onClose: () => void
}) {
  const words = useWords()
  const explain = useExplanation()
  const [values, setValues] = useState(
    () => Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])) as Record<Name, string>,
  )
  const [problem, setProblem] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const atFields = problem instanceof ApiProblem ? problem.fields : {}
  const isAtField = fields.some(({ name }) => atFields[name] !== undefined)
  const create = async () => {
    setBusy(true)
    try {
      await onCreate(values)
    } catch (failure) {
      setProblem(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        {fields.map(({ name, initial, ...field }) => (
          <TextField
            key={name}
            {...field}
            autoComplete="off"
            value={values[name]}
            problem={atFields[name]}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
        {problem !== null && !isAtField && (
          <p className="alert" role="alert">
            {explain(problem)}
          </p>
        )}
        <div className="actions">
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
