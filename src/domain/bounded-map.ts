/**
 * A map for values that an isolate keeps between requests. When it has more than `maxSize` entries, it drops the least
 * recently used one and calls `onDrop`, which releases the resources of the value.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #maxSize: number
  readonly #onDrop: (value: Value) => void

  constructor(maxSize: number, onDrop: (value: Value) => void = () => {}) {
    this.#maxSize = maxSize
    this.#onDrop = onDrop
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#maxSize) return
    for (const [oldest, dropped] of this.#entries) {
      this.#entries.delete(oldest)
      this.#onDrop(dropped)
      return
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }
}
