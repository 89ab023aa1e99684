import { useSyncExternalStore } from 'react'

/**
 * Creates a store for a value outside React to which components can subscribe. The value is read on first use.
 */
export function createStore<T>(read: () => T) {
  const listeners = new Set<() => void>()
  let current: { value: T } | undefined
  const get = (): T => {
    current ??= { value: read() }
    return current.value
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get,
    set(value: T): void {
      current = { value }
      for (const listener of listeners) listener()
    },
    use: (): T => useSyncExternalStore(subscribe, get, get),
  }
}
