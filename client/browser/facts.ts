import { useSyncExternalStore } from 'react'
import { getNativeBridge, subscribeToNothing } from './native-bridge.ts'

/** Reads a boolean from the browser. It is false on the server and during hydration. */
const useFact = (read: () => boolean): boolean => useSyncExternalStore(subscribeToNothing, read, () => false)

/** Returns whether the page is hydrated, for controls that need JavaScript. */
export const useIsHydrated = (): boolean => useFact(() => true)

/** Returns whether the history has a page to go back to (spec/pages#error-pages). */
export const useHasHistory = (): boolean => useFact(() => history.length > 1)

/**
 * Returns whether a script can close the window. It can only if a script or an app opened the window (HTML
 * 7.2.2.1).
 */
export const useCanCloseWindow = (): boolean =>
  useFact(() => window.opener !== null || getNativeBridge() !== null)

/** Returns the languages that the user prefers, best first. */
export const preferredLanguages = (): readonly string[] => navigator.languages

/** Returns the parent element for dialogs that are opened from inside a label or a form. */
export const pageBody = (): HTMLElement => document.body

export const closeWindow = (): void => window.close()

/**
 * Returns true if the browser reports that it is offline. If it returns false, the network may still lack internet
 * access.
 */
export const isOffline = (): boolean => !navigator.onLine
