import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { TrieRouter } from 'hono/router/trie-router'
import { findJourney } from '../../../client/app/find-journey.ts'
import { findPage } from '../../../client/app/routes.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { BODY_MAX_BYTES } from '../../contract/body-limit.ts'
import { isFormRequest, readForm } from '../../contract/form-body.ts'
import { INTENT_FIELD } from '../../contract/interactions/interaction.ts'
import { isSameOrigin } from '../../domain/same-origin.ts'
import type { InProcessApi } from '../in-process.ts'
import { redirectTo } from '../redirect.ts'
import { withAccountUrl } from './account-url.ts'
import { withConsentQuestion } from './consent-question.ts'
import { type RefusedStatus, renderFailurePage, renderStatusPage, respondToGuard } from './error-pages.ts'
import { handleForm } from './forms.ts'
import { withContinueUrl } from './new-sign-in.ts'
import { withOrganizationChoice } from './organization-choice.ts'
import { servePage } from './page.ts'
import { type RequestedPage, readCachedPageContext, readPageContext } from './page-context.ts'
import { isPreviewRequest, renderPreviewPage } from './preview-page.ts'

type PageEnv = { Variables: RequestFacts }

/**
 * Serves all paths that belong to neither the API nor the OpenID Provider: pages, their forms, and the not-found page.
 * `others` are the paths with their own routes, whose methods are needed for the `Allow` header.
 */
export function pageRoutes(
  dependencies: Dependencies,
  api: InProcessApi,
  others: readonly { method: string; path: string }[],
): Hono<PageEnv> {
  let table: TrieRouter<string> | undefined

  return new Hono<PageEnv>()
    .get('*', (c) => showPage(dependencies, requestedPage(c)))
    .post('*', bodyLimit({ maxSize: BODY_MAX_BYTES, onError: (c) => refuseRequest(c, 413) }), receiveForm)
    .all('*', (c) => refuseRequest(c, methodsAt(c.req.path) ? 405 : 404))
    .onError((error, c) => renderFailurePage(dependencies, { ...c.var, request: c.req.raw }, error))

  async function receiveForm(c: Context<PageEnv>): Promise<Response> {
    const row = findPage(c.req.path)
    if (!row?.journeys) return refuseRequest(c, methodsAt(c.req.path) ? 405 : 404)
    if (!isSameOrigin(c.req.raw)) return refuseRequest(c, 403)
    if (!isFormRequest(c.req.raw)) return refuseRequest(c, 415)
    const form = await readForm(c.req)
    const journey = await findJourney(c.req.path, form.get(INTENT_FIELD) ?? 'send')
    if (!journey) return refuseRequest(c, 400)
    return handleForm(dependencies, { ...requestedPage(c), form, journey }, (request) =>
      api.fetch(request, c.executionCtx),
    )
  }

  async function refuseRequest(c: Context<PageEnv>, status: RefusedStatus): Promise<Response> {
    const response = await renderStatusPage(dependencies, requestedPage(c), status)
    if (status === 405) response.headers.set('allow', methodsAt(c.req.path) ?? '')
    return response
  }

  /** Returns the methods that a path supports, or null if the path is unknown. */
  function methodsAt(path: string): string | null {
    const page = findPage(path)
    if (page) return page.journeys ? 'GET, HEAD, POST' : 'GET, HEAD'
    const [matches] = otherAddresses().match('ALL', path)
    const methods = new Set(matches.map(([method]) => method))
    if (methods.size === 0) return null
    return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  }

  function otherAddresses(): TrieRouter<string> {
    if (table) return table
    table = new TrieRouter<string>()
    for (const { method, path } of others) table.add('ALL', path, method)
    return table
  }
}

const requestedPage = (c: Context<PageEnv>): RequestedPage => ({
  tenantId: c.get('tenantId'),
  request: c.req.raw,
  url: c.get('url'),
})

async function showPage(dependencies: Dependencies, requested: RequestedPage): Promise<Response> {
  const { tenantId, request, url = new URL(request.url) } = requested
  if (isPreviewRequest(url)) return renderPreviewPage(dependencies, requested)
  // An unknown path gets an error page even if its parameters would make a page redirect.
  const readContext = findPage(url.pathname) ? readPageContext : readCachedPageContext
  const context = await readContext(dependencies, requested)
  const guarded = await respondToGuard(dependencies, { tenantId, context }, (to) => redirectTo(to, 302))
  if (guarded) return guarded
  const withConsent = await withConsentQuestion(dependencies, requested, context)
  const withChoice = await withOrganizationChoice(dependencies, requested, withConsent)
  const withAccount = await withAccountUrl(dependencies, { tenantId, context: withChoice })
  return servePage(await withContinueUrl(dependencies, { tenantId, context: withAccount }))
}
