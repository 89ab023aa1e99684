import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

/** Longer than between the presses of a double press. Ours. */
const WAIT_MS = 800

/**
 * Closes a dialog that shows what is never shown again (`isOnce` of `Dialog`). It stands where the button was that made it, so the
 * second press of a double press must not close it.
 */
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
