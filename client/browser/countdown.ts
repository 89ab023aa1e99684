import { useSyncExternalStore } from 'react'

const SECOND_MS = 1000
/** The update interval in milliseconds, short enough that every second is shown for about the same time. */
const TICK_MS = 250

/**
 * Returns the seconds left until `moment`, or null on the server and during hydration. They are computed from the
 * clock each time, because timers stop in a hidden tab.
 */
export function useSecondsUntil(moment: number): number | null {
  return useSyncExternalStore(
    subscribeToClock,
    () => Math.max(0, Math.ceil((moment - Date.now()) / SECOND_MS)),
    () => null,
  )
}

function subscribeToClock(onTick: () => void): () => void {
  const timer = setInterval(onTick, TICK_MS)
  document.addEventListener('visibilitychange', onTick)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onTick)
  }
}
