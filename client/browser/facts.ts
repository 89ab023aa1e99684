import { useSyncExternalStore } from 'react'
import { nativeBridge, subscribeToNothing } from './native-bridge.ts'

/** Reads a fact from the browser. It is false on the server and during hydration. */
const useFact = (read: () => boolean): boolean => useSyncExternalStore(subscribeToNothing, read, () => false)

/** Returns whether the page is hydrated, for controls that need a script. */
export const useHydrated = (): boolean => useFact(() => true)

/** Returns whether the history has a page to go back to (spec/pages#error-pages). */
export const useHasHistory = (): boolean => useFact(() => history.length > 1)

/** Returns whether a script may close the window, which must have been opened by a script or an app (HTML 7.2.2.1). */
export const useCanClose = (): boolean => useFact(() => window.opener !== null || nativeBridge() !== null)

/** Returns the element that holds dialogs opened from inside a label or a form. */
export const pageBody = (): HTMLElement => document.body

export const closeWindow = (): void => window.close()

/** Returns true if the browser has no network. Otherwise it may still have one that leads nowhere. */
export const isOffline = (): boolean => !navigator.onLine
