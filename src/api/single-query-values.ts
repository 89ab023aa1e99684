import type { MiddlewareHandler } from 'hono'
import { invalidInput } from '../contract/invalid-input.ts'

/** A search takes several values; pages have a refusal of their own (spec/management#search, spec/management#pagination). */
const CHECKED_BY_READERS = /^(?:search(?:\..*)?|page|page_size)$/

/** Of a query parameter that is given twice, two parties may read different values: it is refused. */
export const singleQueryValues: MiddlewareHandler = async (c, next) => {
  const repeated = Object.entries(c.req.queries()).filter(
    ([name, values]) => values.length > 1 && !CHECKED_BY_READERS.test(name),
  )
  if (repeated.length > 0) {
    throw invalidInput({
      issues: repeated.map(([name]) => ({
        code: 'custom',
        path: [name],
        message: 'is given more than once',
      })),
    })
  }
  await next()
}
