import { useSyncExternalStore } from 'react'
import { nativeBridge, never } from './native-bridge.ts'

/** What the browser says; false on the server and during hydration. */
const useFact = (read: () => boolean): boolean => useSyncExternalStore(never, read, () => false)

/** For what only works with script. */
export const useHydrated = (): boolean => useFact(() => true)

/** Whether there is a page to go back to (spec/pages#error-pages). */
export const useHasHistory = (): boolean => useFact(() => history.length > 1)

/** Whether a script may close the window: a script or an app has opened it (HTML 7.2.2.1). */
export const useCanClose = (): boolean => useFact(() => window.opener !== null || nativeBridge() !== null)

/** Where a dialog goes that is opened from inside a label or a form. */
export const pageBody = (): HTMLElement => document.body

export const closeWindow = (): void => window.close()

/** A browser that says yes has no network; one that says no may have one that leads nowhere. */
export const isOffline = (): boolean => !navigator.onLine
