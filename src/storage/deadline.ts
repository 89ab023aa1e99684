/**
 * A store that does not answer is as good as one that fails (decision record 0049). Ours: half of the ten seconds a page
 * waits for a call (product 9), far above what any statement of ours takes.
 */
const ANSWERS_WITHIN = 5_000 // ms

/** Calls that only prepare one, and lead to an object whose calls do. */
const preparing = new Set<PropertyKey>(['prepare', 'bind'])

/**
 * A binding whose every call ends in time. What was asked may happen all the same, and later: whoever repeats it must
 * know that it can be repeated.
 */
export function timely<T extends object>(name: string, binding: T): T {
  return new Proxy(binding, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        const answer = value.apply(target, given)
        return preparing.has(property) ? timely(name, answer) : inTime(name, answer)
      }
    },
  })
}

/** Also for what somebody else's request is waiting for: should that request end, nobody would answer. */
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

/** The same for what is reached by `fetch`. */
export const timelyFetch = (request: Request): Promise<Response> =>
  fetch(request, { signal: AbortSignal.timeout(ANSWERS_WITHIN) })
