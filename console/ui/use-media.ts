import { useCallback, useSyncExternalStore } from 'react'

/** Returns whether the window matches a media query. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  const matches = () => window.matchMedia(query).matches
  return useSyncExternalStore(subscribe, matches, matches)
}
