import type { Context } from 'hono'
import { z } from 'zod'
import { refuseWith } from '../../contract/refused.ts'
import type { PageRange } from '../../storage/totals.ts'

/** Implements the pagination of lists (spec/management#pagination). */

const DEFAULT_PAGE_SIZE = 20
const MAX_PAGE_SIZE = 100

/**
 * The schema of a query parameter that accepts any value and may be repeated. `readPage` rejects invalid values with a
 * specific error code.
 */
export const rawQueryValue = z.union([z.string(), z.array(z.string())]).optional()

/** Declares the pagination parameters; `readPage` checks their values. */
export const paginationQuery = {
  page: rawQueryValue.meta({ type: 'integer', minimum: 1, default: 1 }),
  page_size: rawQueryValue.meta({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
  }),
}

export function readPage(c: Context): PageRange {
  const page = readNumber(c, 'page', 1)
  const pageSize = readNumber(c, 'page_size', DEFAULT_PAGE_SIZE)
  if (pageSize > MAX_PAGE_SIZE || !Number.isSafeInteger(page * pageSize))
    refuseWith('guard.invalid_pagination')
  return { page, pageSize }
}

/** Returns null if the request has no pagination parameters. The call then returns the whole list. */
export const readOptionalPage = (c: Context): PageRange | null =>
  c.req.queries('page') || c.req.queries('page_size') ? readPage(c) : null

function readNumber(c: Context, name: string, fallback: number): number {
  const values = c.req.queries(name) ?? []
  const [value = String(fallback)] = values
  if (values.length > 1 || !/^0*[1-9]\d*$/.test(value)) refuseWith('guard.invalid_pagination')
  return Number(value)
}

export const PAGINATION_HEADERS = ['Total-Number', 'Total-Capped', 'Link']

const header = (description: string, type: 'integer' | 'string') =>
  ({ description, schema: { type } }) as const

/** Declares a response with one page of a list. */
export const pageResponse = <T extends z.ZodType>(description: string, item: T) => ({
  description,
  headers: {
    'Total-Number': header('The number of entries on all pages', 'integer'),
    'Total-Capped': header('`true` if there are more entries than were counted', 'string'),
    Link: header('The addresses of the pages `first`, `prev`, `next` and `last` (RFC 8288)', 'string'),
  },
  content: { 'application/json': { schema: z.array(item) } },
})

type ListTotals = { total: number; isCapped?: boolean; length: number }

/**
 * Sets the pagination headers. `length` is the number of entries on this page. If the total is capped, a full page
 * means that there may be another one (spec/management#totals).
 */
export function setPageHeaders(
  c: Context,
  { page, pageSize }: PageRange,
  { total, isCapped = false, length }: ListTotals,
): void {
  const last = Math.max(1, Math.ceil(total / pageSize))
  const hasNext = page < last || (isCapped && length === pageSize)
  const pages = {
    first: 1,
    ...(page > 1 ? { prev: isCapped ? page - 1 : Math.min(page - 1, last) } : {}),
    ...(hasNext ? { next: page + 1 } : {}),
    // The last page is unknown if the total is capped.
    ...(isCapped ? {} : { last }),
  }
  const links = Object.entries(pages).map(
    ([rel, number]) => `<${addressOf(c, number, pageSize)}>; rel="${rel}"`,
  )

  c.header('Total-Number', String(total))
  if (isCapped) c.header('Total-Capped', 'true')
  c.header('Link', links.join(', '))
}

function addressOf(c: Context, page: number, pageSize: number): string {
  const url = new URL(c.req.url)
  url.searchParams.set('page', String(page))
  url.searchParams.set('page_size', String(pageSize))
  return url.href
}
