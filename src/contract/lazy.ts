/**
 * Returns a function that loads a value once. Concurrent callers share the promise, and later callers get the same
 * value. A failed load is forgotten, so that the next call tries again. `import()` does not need this function, because
 * the runtime caches modules itself; use it for values that are created from modules.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
