import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * Dismisses a message about a missing connection once there is one. If the focus is on a button in the message, it
 * moves to the button that sends the form.
 */
export function useDismissalOnline(
  isOffline: boolean,
  box: RefObject<HTMLElement | null>,
  dismiss: () => void,
): void {
  const onOnline = useEffectEvent(() => {
    if (box.current?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>('main button[name=submit]')?.focus()
    }
    dismiss()
  })
  useEffect(() => {
    if (!isOffline) return
    const listener = () => onOnline()
    addEventListener('online', listener)
    return () => removeEventListener('online', listener)
  }, [isOffline])
}
