/**
 * Between a call and the page that it leads to: in no address and in no storage of the browser. Only the first who asks for the
 * entity gets the value.
 */
export function handOver<T>() {
  let left: { id: string; value: T } | null = null
  return {
    leave(id: string, value: T): void {
      left = { id, value }
    },
    take(id: string): T | null {
      const value = left?.id === id ? left.value : null
      left = null
      return value
    },
  }
}
