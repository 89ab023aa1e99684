/**
 * A store that does not answer counts as one that fails (ADR-0049, spec/storage#deadlines): half of the ten seconds that a
 * page waits for a call, and far more than any statement takes.
 */
const ANSWERS_WITHIN = 5_000 // ms

/** Calls that only prepare a statement; the calls of what they return are timed. */
const preparing = new Set<PropertyKey>(['prepare', 'bind'])

/**
 * A binding whose every call ends in time. The call may take effect all the same, and later: only calls that do nothing
 * twice may be repeated.
 */
export function withDeadline<T extends object>(name: string, binding: T): T {
  return new Proxy(binding, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const answer = value.apply(target, args)
        return preparing.has(property) ? withDeadline(name, answer) : inTime(name, answer)
      }
    },
  })
}

/** Also for a promise that belongs to another request: when that request is cancelled, the promise never settles. */
export async function inTime<T>(name: string, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} timed out`)), ANSWERS_WITHIN)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The same for a store that is reached by `fetch`. */
export const timelyFetch = (request: Request): Promise<Response> =>
  fetch(request, { signal: AbortSignal.timeout(ANSWERS_WITHIN) })
