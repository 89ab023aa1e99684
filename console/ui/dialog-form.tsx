import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { ApiProblem } from '../api/problem.ts'
import { useT } from '../phrases.ts'
import { Button } from './button.tsx'
import { useExplain } from './toast.tsx'

type DialogFormProps = {
  action: string
  kind?: 'primary' | 'danger'
  isIncomplete?: boolean
  /** The fields of `children` that show their own problems. */
  fields?: readonly string[]
  /** Submits the form. If the promise rejects, the error is shown in the dialog. */
  onSubmit: () => Promise<unknown> | unknown
  onClose: () => void
  children: (problems: ApiProblem['fields']) => ReactNode
}

/**
 * The form of a dialog. The rest of the page is hidden from screen readers, so errors are shown in the dialog: next
 * to the field, which receives focus, or above the buttons. The values in the fields are kept.
 */
export function DialogForm(props: DialogFormProps) {
  const { action, kind = 'primary', isIncomplete = false, fields = [], onSubmit, onClose, children } = props
  const t = useT()
  const explain = useExplain()
  const form = useRef<HTMLFormElement>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const problems = failure instanceof ApiProblem ? failure.fields : {}
  const isAtField = fields.some((name) => problems[name] !== undefined)
  useEffect(() => {
    if (failure !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [failure])
  const setDialogBusy = useContext(DialogBusyContext)
  const submit = async () => {
    setBusy(true)
    setDialogBusy(true)
    setFailure(null)
    try {
      await onSubmit()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
      setDialogBusy(false)
    }
  }
  return (
    <form
      ref={form}
      noValidate
      onChange={() => setFailure(null)}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy && !isIncomplete) void submit()
      }}
    >
      {children(problems)}
      {failure !== null && !isAtField && (
        <p className="alert" role="alert">
          {explain(failure)}
        </p>
      )}
      <div className="actions">
        <Button isDisabled={isBusy} onPress={onClose}>
          {t('cancel')}
        </Button>
        <Button kind={kind} type="submit" data-pending={isBusy || undefined} isDisabled={isIncomplete}>
          {action}
        </Button>
      </div>
    </form>
  )
}

/**
 * Lets a form tell its dialog that a request is running. The dialog can't be closed before the response arrives,
 * because the response may contain something that is shown only once.
 */
export const DialogBusyContext = createContext<(isBusy: boolean) => void>(() => {})
