import type { MiddlewareHandler } from 'hono'
import { invalidInput } from '../contract/invalid-input.ts'

/**
 * A search parameter may have several values, and pagination refuses repeated parameters itself
 * (spec/management#search, spec/management#pagination).
 */
const CHECKED_BY_READERS = /^(?:search(?:\..*)?|page|page_size)$/

/**
 * Refuses a query parameter that appears more than once, because another component might read a different one of its
 * values.
 */
export const singleQueryValues: MiddlewareHandler = async (c, next) => {
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
