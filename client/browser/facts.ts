import { useSyncExternalStore } from 'react'
import { nativeBridge } from './native-bridge.ts'

const never = () => () => {}

/** False on the server and during hydration, true afterwards: for what only works with script. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** Whether there is a page to go back to (spec/pages#error-pages). */
export function useHasHistory(): boolean {
  return useSyncExternalStore(
    never,
    () => history.length > 1,
    () => false,
  )
}

/** Whether a script may close the window: a script or an app has opened it (HTML 7.2.2.1). */
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
