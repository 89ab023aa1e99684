import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { refuseWith } from '../../contract/refused.ts'
import type { Page } from '../../storage/totals.ts'

const DEFAULT_PAGE_SIZE = 20 // contract 8.1
const MAX_PAGE_SIZE = 100

/** Given once or several times: what is not as declared is refused by who reads it, in its own words. */
export const loose = z.union([z.string(), z.array(z.string())]).optional()

/** For declarations; `readPage` judges them, because they have an error code of their own. */
export const pageQuery = {
  page: loose.openapi({ type: 'integer', minimum: 1, default: 1 }),
  page_size: loose.openapi({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
  }),
}

export function readPage(c: Context): Page {
  const page = readNumber(c, 'page', 1)
  const pageSize = readNumber(c, 'page_size', DEFAULT_PAGE_SIZE)
  if (pageSize > MAX_PAGE_SIZE || !Number.isSafeInteger(page * pageSize))
    refuseWith('guard.invalid_pagination')
  return { page, pageSize }
}

/** Null where the caller gave neither: then there is no paging (contract 8.1, "PO"). */
export const readOptionalPage = (c: Context): Page | null =>
  c.req.queries('page') || c.req.queries('page_size') ? readPage(c) : null

function readNumber(c: Context, name: string, fallback: number): number {
  const values = c.req.queries(name) ?? []
  const [value = String(fallback)] = values
  if (values.length > 1 || !/^0*[1-9]\d*$/.test(value)) refuseWith('guard.invalid_pagination')
  return Number(value)
}

export const TOTAL_HEADERS = ['Total-Number', 'Total-Capped', 'Link']

const inHeader = (description: string, type: 'integer' | 'string') =>
  ({ description, schema: { type } }) as const

/** A list, and where its other pages are, as the declaration wants it. */
export const page = <T extends z.ZodType>(description: string, item: T) => ({
  description,
  headers: {
    'Total-Number': inHeader('How many there are on all pages', 'integer'),
    'Total-Capped': inHeader('`true` when there are more than were counted', 'string'),
    Link: inHeader('RFC 8288: first, prev, next, last', 'string'),
  },
  content: { 'application/json': { schema: z.array(item) } },
})

type Listed = { total: number; isCapped?: boolean; length: number }

/** `length` is how many are on this page: where the total is capped, a full page may have a successor (decision 36). */
export function announce(
  c: Context,
  { page, pageSize }: Page,
  { total, isCapped = false, length }: Listed,
): void {
  const last = Math.max(1, Math.ceil(total / pageSize))
  const hasNext = page < last || (isCapped && length === pageSize)
  const pages = {
    first: 1,
    ...(page > 1 ? { prev: isCapped ? page - 1 : Math.min(page - 1, last) } : {}),
    ...(hasNext ? { next: page + 1 } : {}),
    // Nobody knows the last page of what was not counted to its end.
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
