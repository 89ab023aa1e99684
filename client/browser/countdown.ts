import { useSyncExternalStore } from 'react'

const SECOND_MS = 1000
/** Short enough that no second seems to last two. */
const TICK_MS = 250

/**
 * Returns the seconds left until a moment, or null on the server and during hydration. They are read from the clock
 * each time, because the timers of a hidden tab stop.
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
