import { useSyncExternalStore } from 'react'
import { nativeBridge } from './native-bridge.ts'

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

/** Whether the window may be closed from here: a script or an app has opened it (HTML 7.2.2.1). */
export function useCanClose(): boolean {
  return useSyncExternalStore(
    never,
    () => window.opener !== null || nativeBridge() !== null,
    () => false,
  )
}

/** Where a dialog goes that is opened from inside a label or a form. */
export const pageBody = (): HTMLElement => document.body

export const closeWindow = (): void => window.close()
