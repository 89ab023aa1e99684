import { useSyncExternalStore } from 'react'

const SECOND_MS = 1000
/** Often enough that no second is seen to last two. */
const LOOK_MS = 250

/**
 * How many seconds are left until a moment; null while that is not known. Read from the clock each time, because a tab
 * that sleeps counts nothing.
 */
export function useSecondsUntil(moment: number | null): number | null {
  return useSyncExternalStore(
    watchTheClock,
    () => (moment === null ? null : Math.max(0, Math.ceil((moment - Date.now()) / SECOND_MS))),
    () => null,
  )
}

function watchTheClock(onTick: () => void): () => void {
  const timer = setInterval(onTick, LOOK_MS)
  document.addEventListener('visibilitychange', onTick)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onTick)
  }
}
