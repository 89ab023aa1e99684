import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../phrases.ts'
import type { Word } from '../words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** Longer than between the presses of a double press. Ours. */
const WAIT_MS = 800

/** The second press of a double press must not close what stands where the button was that made it. */
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

/** Shows what is never shown again. `close` is what its button says. */
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
