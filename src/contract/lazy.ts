/**
 * A function that loads once: callers at the same time share the promise, and later ones its value. A failed load is forgotten, so
 * that the next call tries again. `import()` needs none of it, because the runtime keeps modules itself: this is for what is made
 * of them.
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
