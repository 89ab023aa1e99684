import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { findJourney, findPage } from '../../client/routes.ts'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import type { Bindings } from '../bindings.ts'
import { type ErrorCode, refuse } from '../contract/errors.ts'
import { INTENT_FIELD } from '../contract/interaction.ts'
import { isSameOrigin } from '../domain/same-origin.ts'
import { demoPage } from './demo-page.ts'
import { beginAgainPage, errorPage, failurePage } from './error-pages.ts'
import { answerForm } from './forms.ts'
import type { Api } from './in-process.ts'
import { page } from './page.ts'
import { readPageContext } from './page-context.ts'
import { guardPage, unknownSessionUrl } from './page-guard.ts'
import { isPreview, previewPage } from './preview-page.ts'

type PageEnv = { Bindings: Bindings; Variables: RequestFacts }

const BODY_MAX_BYTES = 64 * 1024 // decision 10

/** Every address that is neither the API's nor the provider's: pages, their forms, and the page that says there is none. */
export function pageRoutes(dependencies: Dependencies, api: Api): Hono<PageEnv> {
  return new Hono<PageEnv>()
    .get('/demo-app', (c) => demoPage(dependencies, c.var.tenantId, c.req.raw))
    .get('*', (c) => showPage(dependencies, c.var.tenantId, c.req.raw))
    .post('*', bodyLimit({ maxSize: BODY_MAX_BYTES, onError: (c) => refused(c, 413) }), receiveForm)
    .all('*', (c) => refused(c, findPage(c.req.path) ? 405 : 404))
    .onError((error, c) => failurePage(dependencies, c.var, c.req.raw, error))

  async function receiveForm(c: Context<PageEnv>): Promise<Response> {
    const row = findPage(c.req.path)
    if (!row?.journeys) return refused(c, row ? 405 : 404)
    if (!isOurs(c.req.raw)) return refused(c, 403)
    if (!isForm(c.req.header('content-type'))) return refused(c, 415)
    // Not text(): of this content type workerd believes that it is none, and says so in the log.
    const form = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()))
    const intent = form.get(INTENT_FIELD) ?? 'send'
    const journey = await findJourney(c.req.path, intent)
    if (!journey) return refused(c, 400)
    return answerForm(dependencies, c.var.tenantId, { request: c.req.raw, form, journey }, (request) =>
      api.fetch(request, c.executionCtx),
    )
  }

  async function refused(c: Context<PageEnv>, status: keyof typeof codes): Promise<Response> {
    const answer = await errorPage(
      dependencies,
      c.var.tenantId,
      c.req.raw,
      refuse(codes[status], undefined, status),
    )
    if (status === 405)
      answer.headers.set('allow', findPage(c.req.path)?.journeys ? 'GET, HEAD, POST' : 'GET, HEAD')
    return answer
  }
}

const codes = {
  400: 'guard.invalid_input',
  403: 'auth.forbidden',
  404: 'entity.not_found',
  405: 'guard.invalid_input',
  413: 'guard.invalid_input',
  415: 'guard.invalid_input',
  500: 'server.internal',
  503: 'server.unavailable',
} as const satisfies Record<number, ErrorCode>

const isOurs = ({ url, headers }: Request) =>
  isSameOrigin(new URL(url).origin, { origin: headers.get('origin'), site: headers.get('sec-fetch-site') })

/** None of our forms sends files, so `multipart/form-data` is refused with everything else. */
const isForm = (contentType = '') => /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType)

async function showPage(dependencies: Dependencies, tenantId: string, request: Request): Promise<Response> {
  if (isPreview(new URL(request.url))) return previewPage(dependencies, tenantId, request)
  const context = await readPageContext(dependencies, tenantId, request)
  const decision = guardPage(context)
  switch (decision.kind) {
    case 'enter':
      return page(context)
    case 'notFound':
      return page(context, { status: 404 })
    case 'beginAgain':
      return beginAgainPage(context)
    case 'unknownSession':
      return found(await unknownSessionUrl(dependencies, tenantId))
    case 'redirect':
      return found(decision.to)
  }
}

function found(location: string): Response {
  return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } })
}
