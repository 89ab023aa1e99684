import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../phrases.ts'
import type { Word } from '../words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** Longer than between the presses of a double press. Ours. */
const WAIT_MS = 800

/** The second press of a double press must not close what stands where the button was that made it. */
export function CloseOnce({ onClose, text }: { onClose: () => void; text: string }) {
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

type OnceDialogProps = { title: string; close?: Word; onClose: () => void; children: ReactNode }

/** Shows what is never shown again. `close` is what its button says. */
export function OnceDialog({ title, close = 'close', onClose, children }: OnceDialogProps) {
  const t = useT()
  return (
    <Dialog title={title} isOnce onClose={onClose}>
      {children}
      <div className="actions">
        <CloseOnce onClose={onClose} text={t(close)} />
      </div>
    </Dialog>
  )
}
