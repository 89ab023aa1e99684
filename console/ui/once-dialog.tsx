import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../phrases.ts'
import type { Word } from '../words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** Longer than the time between the presses of a double press. Our choice. */
const WAIT_MS = 800

/**
 * A button that closes the dialog and is disabled at first: the second press of a double press lands where the
 * previous button was, and must not close what it created.
 */
export function DelayedCloseButton({ onClose, text }: { onClose: () => void; text: string }) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), WAIT_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Button kind="primary" isDisabled={!isReady} onPress={onClose}>
      {text}
    </Button>
  )
}

type OneTimeDialogProps = { title: string; close?: Word; onClose: () => void; children: ReactNode }

/** Shows something that is never shown again. `close` is the text of its button. */
export function OneTimeDialog({ title, close = 'close', onClose, children }: OneTimeDialogProps) {
  const t = useT()
  return (
    <Dialog title={title} isOneTime onClose={onClose}>
      {children}
      <div className="actions">
        <DelayedCloseButton onClose={onClose} text={t(close)} />
      </div>
    </Dialog>
  )
}
