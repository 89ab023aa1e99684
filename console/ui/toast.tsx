import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { ApiProblem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { useWords } from './words.ts'

type Toast = { kind: 'success' | 'failure'; text: string; undo?: (() => Promise<void>) | undefined }
type Notify = {
  /** Confirms; with `undo` it offers to take the change back. */
  success: (text: string, undo?: () => Promise<void>) => void
  /** For a refusal that belongs to no form. It stays until the next one, or until it is closed. */
  failure: (error: unknown) => void
}

const NotifyContext = createContext<Notify>({ success: () => {}, failure: () => {} })

export const useNotify = (): Notify => useContext(NotifyContext)

export function Notifications({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null)
  const words = useWords()
  const explain = useExplanation()
  const notify = useMemo<Notify>(
    () => ({
      success: (text, undo) => setToast({ kind: 'success', text, undo }),
      failure: (error) => setToast({ kind: 'failure', text: explain(error) }),
    }),
    [explain],
  )
  const takeBack = async () => {
    try {
      await toast?.undo?.()
      notify.success(words('undone'))
    } catch (error) {
      notify.failure(error)
    }
  }
  return (
    <NotifyContext value={notify}>
      {children}
      <div className="toasts" role="status">
        {toast && (
          <div className={`toast ${toast.kind}`}>
            <span>{toast.text}</span>
            {toast.undo && <Button onPress={takeBack}>{words('undo')}</Button>}
            <Button kind="quiet" aria-label={words('close')} onPress={() => setToast(null)}>
              ×
            </Button>
          </div>
        )}
      </div>
    </NotifyContext>
  )
}

/** What a failure means for the user, in one line. */
export function useExplanation(): (error: unknown) => string {
  const words = useWords()
  return (error) => {
    if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error)
    if (error.status === 0) return words('offline')
    if (error.status === 403) return words('notAllowed')
    const id = error.requestId ? ` (${words('requestId', { id: error.requestId })})` : ''
    return error.message + id
  }
}
