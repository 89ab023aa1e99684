import { type ReactNode, useEffect, useRef } from 'react'
import { useIsHydrated } from '../browser/facts.ts'
import { CloseIcon } from './icons.tsx'

/**
 * A native dialog. Submit buttons close it. Without JavaScript, the server renders it open, and submitting its
 * form closes it. `onClose` is called when the user closes the dialog, but not when it is unmounted.
 */
export function Dialog({
  title,
  closeLabel,
  onClose,
  children,
}: {
  title: string
  closeLabel: string
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isHydrated = useIsHydrated()

  useEffect(() => {
    const element = dialog.current
    if (!isHydrated || !element) return
    element.showModal()
    // The last button receives focus, so that Enter confirms (spec/pages#dialogs).
    element.querySelector<HTMLElement>('.dialog-actions > :last-child')?.focus()
  }, [isHydrated])

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="dialog-title"
      open={!isHydrated}
      onClose={onClose}
    >
      <form method="dialog">
        <header className="dialog-header">
          <h2 id="dialog-title">{title}</h2>
          <button type="submit" className="icon-button" aria-label={closeLabel}>
            <CloseIcon />
          </button>
        </header>
        {children}
      </form>
    </dialog>
  )
}
