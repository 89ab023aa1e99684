/**
 * Creates a store that passes a value from an API call to the page that opens next, without putting it into a URL or
 * the browser's storage. Only the first reader gets the value.
 */
export function createOneTimeStore<T>() {
  let entry: { id: string; value: T } | null = null
  return {
    put(id: string, value: T): void {
      entry = { id, value }
    },
    take(id: string): T | null {
      const value = entry?.id === id ? entry.value : null
      entry = null
      return value
    },
  }
}
