/**
 * The time after which a store that has not responded is considered failed (ADR-0049, spec/storage#deadlines). It is
 * half of the ten seconds for which pages wait for a call, and far longer than any statement takes.
 */
const TIMEOUT = 5_000 // ms

/** Methods that only prepare a statement. The deadline applies to calls on the objects that they return. */
const preparing = new Set<PropertyKey>(['prepare', 'bind'])

/**
 * Wraps a binding so that a call that takes too long fails. The call may still take effect later, so only calls that
 * are safe to repeat may be retried.
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
 * Rejects if a promise does not settle in time. The promise may belong to another request; it never settles if that
 * request is cancelled.
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

/** Applies the same deadline to a store that is accessed through `fetch`. */
export const fetchWithDeadline = (request: Request): Promise<Response> =>
  fetch(request, { signal: AbortSignal.timeout(TIMEOUT) })
