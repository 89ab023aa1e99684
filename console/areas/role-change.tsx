import { useState } from 'react'
import { useT } from '../phrases.ts'
import { readAuthTime } from '../session/session.ts'
import { requireStepUp } from '../session/step-up.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Loading } from '../ui/page.tsx'
import { useNotify } from '../ui/toast.tsx'
import { roleChangePhrases } from './role-change-phrases.ts'

/** The question to ask before a role is assigned or removed, and what to do instead of a confirmation afterwards. */
export type RoleQuestion = { title: string; lead: string; onDone?: () => void }

type RoleChange = {
  /** The change that was made: an undo reverses it. */
  kind: 'assign' | 'remove'
  /** Returns the question to ask first, or null if the change can be undone. */
  ask: (() => Promise<RoleQuestion | null>) | undefined
  change: () => Promise<unknown>
  undo: () => Promise<unknown>
  /** The confirmation that is shown afterwards. */
  success: string
}

type Pending = RoleQuestion & { action: string; onConfirm: () => Promise<unknown> }

/**
 * Returns a function that assigns or removes a role, the error of the last attempt and the dialog that asks for
 * confirmation. Assigning a role requires a recent sign-in (spec/management#operator-proof), and so does undoing a
 * removal. `onFailure` reads the list again, because someone else may have assigned or removed the role.
 */
export function useRoleChange(onFailure: () => unknown) {
  const t = useT(roleChangePhrases)
  const notify = useNotify()
  const [pending, setPending] = useState<Pending | null>(null)
  const [failure, setFailure] = useState<Error | null>(null)

  const start = async ({ kind, ask, change, undo, success }: RoleChange) => {
    const question = await ask?.()
    if (question) {
      const onConfirm = async () => {
        await change()
        if (question.onDone) question.onDone()
        else notify.success(success)
      }
      return setPending({ ...question, action: t(`${kind}Role`), onConfirm })
    }
    await change()
    notify.success(success, async () => {
      if (kind === 'remove') requireStepUp(await readAuthTime(), t('oldSignIn'))
      await undo()
    })
  }
  return {
    async press(change: RoleChange): Promise<void> {
      setFailure(null)
      try {
        await start(change)
      } catch (refusal) {
        setFailure(refusal instanceof Error ? refusal : new Error(String(refusal)))
        await onFailure()
      }
    },
    alert: failure && <Loading failure={failure} />,
    dialog: pending && <ConfirmDialog {...pending} onClose={() => setPending(null)} />,
  }
}
