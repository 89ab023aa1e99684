import { pages } from '../../client/routes.ts'
import type { Dependencies } from '../application/dependencies.ts'
import { tenantNamedBy } from '../domain/hosts.ts'
import { stepCookieName } from '../storage/interactions.ts'
import { cachedPage } from './page.ts'
import { isPlainQuery, readPageContext } from './page-context.ts'

/**
 * Pages that show everybody the same, once somebody has seen them, ahead of the whole app: to find a route and to complete headers
 * takes longer than to print such a page (design 5). Null for everything else, and for what fails here: it fails again, and is
 * told, where it belongs.
 */
export function pageCache(dependencies: Dependencies): (request: Request) => Promise<Response | null> {
  const { hosts, environment } = dependencies.settings
  const circumstances = { hosts, isDevelopment: environment === 'development' }

  return async (request) => {
    if (request.method !== 'GET') return null
    const url = new URL(request.url)
    if (!paths.has(url.pathname) || !isPlainQuery(url.search)) return null
    if (request.headers.get('cookie')?.includes(STEP)) return null
    try {
      const tenantId = tenantNamedBy(url, circumstances)
      if (tenantId === null || !(await dependencies.tenants.has(tenantId))) return null
      const page = cachedPage(await readPageContext(dependencies, tenantId, request, null, url))
      page?.headers.set('x-request-id', crypto.randomUUID())
      return page
    } catch {
      return null
    }
  }
}

const paths = new Set(pages.map(({ path }) => path))

/** Whoever carries one of these cookies is in the middle of something. */
const STEP = stepCookieName('')
