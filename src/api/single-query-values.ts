import type { MiddlewareHandler } from 'hono'
import { invalidInput } from '../contract/invalid-input.ts'

/**
 * Parameters that may be repeated: searches accept several values, and pagination rejects repeated parameters itself
 * (spec/management#search, spec/management#pagination).
 */
const CHECKED_BY_READERS = /^(?:search(?:\..*)?|page|page_size)$/

/** Rejects repeated query parameters, because different components might read different occurrences. */
export const refuseRepeatedQueryValues: MiddlewareHandler = async (c, next) => {
  const repeated = Object.entries(c.req.queries()).filter(
    ([name, values]) => values.length > 1 && !CHECKED_BY_READERS.test(name),
  )
  if (repeated.length > 0) {
    throw invalidInput({
      issues: repeated.map(([name]) => ({
        code: 'custom',
        path: [name],
        message: 'appears more than once',
      })),
    })
  }
  await next()
}
