import { useSyncExternalStore } from 'react'
import { subscribeToNothing } from './native-bridge.ts'

const KEY = 'notification' // used both as the query parameter and as the storage key (spec/pages#notification)

/** Returns the phrase key from the query. It is remembered until the tab is closed. */
export function useNotification(search: string): string | null {
  return useSyncExternalStore(
    subscribeToNothing,
    () => fromSearch(search) ?? fromStorage(),
    () => fromSearch(search),
  )
}

export function rememberNotification(): void {
  const key = fromSearch(location.search)
  if (!key) return
  try {
    sessionStorage.setItem(KEY, key)
  } catch {
    // If storage is blocked, the notification is not shown on later pages.
  }
}

const fromSearch = (search: string) => new URLSearchParams(search).get(KEY)

function fromStorage(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
