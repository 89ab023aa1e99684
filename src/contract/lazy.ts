/**
 * Returns a function that loads a value once. Concurrent callers share one promise, and later callers get the loaded
 * value. After a failed load, the next call tries again. Use it for values that are created from modules; `import()`
 * alone does not need it, because the runtime caches modules.
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
