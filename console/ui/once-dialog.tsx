import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../phrases.ts'
import type { Word } from '../words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/**
 * The time for which the button is disabled, in milliseconds: longer than the pause between the two presses of a double
 * press. Our choice.
 */
const WAIT_MS = 800

/**
 * The button that closes the dialog. It is disabled at first: the second press of a double press on the previous
 * button would land on it and close the dialog before the user has read it.
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

/** A dialog with something that can't be shown again. `close` is the label of its button. */
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
