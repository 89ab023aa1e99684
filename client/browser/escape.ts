import { useEffect, useEffectEvent } from 'react'

/** Escape, wherever the focus is: a browser may leave it on the page when a button is pressed. */
export function useEscape(isOn: boolean, onEscape: () => void): void {
  const stop = useEffectEvent(onEscape)

  useEffect(() => {
    if (!isOn) return
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && stop()
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn])
}
