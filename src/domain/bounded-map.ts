/**
 * A map for what an isolate keeps between requests: beyond `most` entries the least recently used one is dropped.
 * `onDrop` releases what a dropped value holds.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #most: number
  readonly #onDrop: (value: Value) => void

  constructor(most: number, onDrop: (value: Value) => void = () => {}) {
    this.#most = most
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
    if (this.#entries.size <= this.#most) return
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
