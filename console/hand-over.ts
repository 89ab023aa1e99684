/**
 * Between a call and the page that it leads to: in no address and in no storage of the browser. Only the first who asks for the
 * entity gets the value.
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
