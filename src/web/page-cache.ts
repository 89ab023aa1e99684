import type { MiddlewareHandler } from 'hono'
import { pageTable } from '../../client/routes.ts'

import type { RequestFacts } from '../application/request-facts.ts'
import { navigationCookieName } from '../storage/interactions.ts'
import { cachedPage } from './page.ts'
import { type PageContextSources, readPageContext } from './page-context.ts'
import { isPlainQuery } from './page-query.ts'

/**
 * Answers from a template where the page is alike for all users and was rendered before (ADR-0045). It stands before the routes:
 * to match them takes longer than to fill a template in (spec/budgets#throughput).
 */
export function pageCache(sources: PageContextSources): MiddlewareHandler<{ Variables: RequestFacts }> {
  return async (c, next) => {
    const url = c.get('url')
    const request = c.req.raw
    const isCacheable = request.method === 'GET' && paths.has(url.pathname) && isPlainQuery(url.search)
    // With a navigation state the page is one user's own.
    if (!isCacheable || request.headers.get('cookie')?.includes(NAVIGATION_COOKIE)) return next()

    const page = await pageFromCache(sources, { tenantId: c.get('tenantId'), request, url })
    if (!page) return next()
    page.headers.set('X-Request-Id', c.get('requestId'))
    return page
  }
}

/** Null also after a failure: the route of the page fails in the same way, and answers it. */
async function pageFromCache(...asked: Parameters<typeof readPageContext>): Promise<Response | null> {
  try {
    return cachedPage(await readPageContext(...asked))
  } catch {
    return null
  }
}

const paths = new Set(pageTable.map(({ path }) => path))

/** How the names of these cookies begin. */
const NAVIGATION_COOKIE = navigationCookieName('')
