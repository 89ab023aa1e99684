import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False on the server and while the page is taken over, true ever after: for what only works with script. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** Whether there is a page to go back to (product 2, not-found screen). */
export function useHasHistory(): boolean {
  return useSyncExternalStore(
    never,
    () => history.length > 1,
    () => false,
  )
}
