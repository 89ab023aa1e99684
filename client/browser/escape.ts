import { useEffect, useEffectEvent } from 'react'

/** Handles Escape wherever the focus is: when a button is pressed, a browser may leave the focus on the page. */
export function useEscape(isOn: boolean, onEscape: () => void): void {
  const stop = useEffectEvent(onEscape)

  useEffect(() => {
    if (!isOn) return
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && stop()
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn])
}
