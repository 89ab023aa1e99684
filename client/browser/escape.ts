import { useEffect, useEffectEvent } from 'react'

/**
 * Calls `onEscape` for the Escape key wherever the focus is. After a click on a button, some browsers leave the
 * focus on the page.
 */
export function useEscape(isOn: boolean, onEscape: () => void): void {
  const stop = useEffectEvent(onEscape)

  useEffect(() => {
    if (!isOn) return
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && stop()
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn])
}
