import { useSyncExternalStore } from 'react'

const KEY = 'notification' // contract 10.1: both the query parameter and the storage key

/** The phrase key a visitor was sent with; it stays for the whole visit of this tab (contract 10.1). */
export function useNotification(search: string): string | null {
  return useSyncExternalStore(
    () => () => {},
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
    // Storage may be forbidden; then the notification ends with this page.
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
