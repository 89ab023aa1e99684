/**
 * A store that does not respond within this time counts as failed (ADR-0049, spec/storage#deadlines). It is half of the
 * ten seconds that a page waits for a call, and far more than any statement takes.
 */
const TIMEOUT = 5_000 // ms

/** Methods that only prepare a statement; the calls of what they return are timed. */
const preparing = new Set<PropertyKey>(['prepare', 'bind'])

/**
 * Wraps a binding so that each of its calls ends in time. A call may still take effect later, so only calls that are
 * safe to repeat may be repeated.
 */
export function withDeadline<T extends object>(name: string, binding: T): T {
  return new Proxy(binding, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result = value.apply(target, args)
        return preparing.has(property) ? withDeadline(name, result) : withTimeout(name, result)
      }
    },
  })
}

/**
 * Rejects if a promise does not settle in time. The promise may belong to another request: if that is cancelled, it
 * never settles.
 */
export async function withTimeout<T>(name: string, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} timed out`)), TIMEOUT)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Applies the same deadline to a store that is reached by `fetch`. */
export const fetchWithDeadline = (request: Request): Promise<Response> =>
  fetch(request, { signal: AbortSignal.timeout(TIMEOUT) })
