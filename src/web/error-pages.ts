import type { RequestFacts } from '../application/request-facts.ts'
import { loadCatalogue } from '../contract/catalogue.ts'
import { type ErrorCode, type Refusal, refuse } from '../contract/errors.ts'
import { DEFAULT_EXPERIENCE, type Experience } from '../contract/experience.ts'
import { Refused } from '../contract/refused.ts'
import { message } from '../domain/messages.ts'
import { isTransient } from '../storage/database.ts'
import { logFailure } from '../storage/event-log.ts'
import { builtInPhrases } from '../storage/phrase-book.ts'
import { page } from './page.ts'
import { type PageContext, type PageContextSources, readPageContext } from './page-context.ts'
import { restartUrl } from './restart.ts'

/** The page of an error, in the visitor's language. */
export async function errorPage(
  dependencies: PageContextSources,
  tenantId: string | undefined,
  request: Request,
  refusal: Refusal,
): Promise<Response> {
  const context = await readPageContextAnyway(dependencies, tenantId, request)
  return refusalPage(context, refusal)
}

/**
 * What should not have failed is logged for us, and says nothing to the visitor; what was refused says why. Without a tenant
 * it is the page of a host that is nobody's.
 */
export async function failurePage(
  dependencies: PageContextSources,
  { tenantId, requestId }: Partial<RequestFacts>,
  request: Request,
  error: Error,
): Promise<Response> {
  if (error instanceof Refused) return errorPage(dependencies, tenantId, request, error.refusal)
  logFailure(error, { requestId, method: request.method, path: new URL(request.url).pathname })
  const code = isTransient(error) ? 'server.unavailable' : 'server.internal'
  return errorPage(dependencies, tenantId, request, refuse(code))
}

/** The same for a visit that was read already. */
export async function refusalPage(context: PageContext, { code, status, data }: Refusal): Promise<Response> {
  const catalogue = await loadCatalogue(context.language)
  return sayError(context, {
    status,
    code,
    message: message(catalogue, code, data),
    description: described(data),
  })
}

/** What a library says of its own error; it speaks English only. */
function described(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('error_description' in data)) return undefined
  return typeof data.error_description === 'string' ? data.error_description : undefined
}

/** The page of an interaction that can only be begun again (decision 6). */
export const beginAgainPage = (context: PageContext): Promise<Response> =>
  refusalPage(context, refuse('session.not_found'))

/** The page of an error whose message is known. Beginning again helps only against the end of an interaction. */
export async function sayError(
  context: PageContext,
  error: { status: number; code: ErrorCode; message: string; description?: string | undefined },
): Promise<Response> {
  const answer = await page(context, {
    status: error.status,
    error: { code: error.code, message: error.message, description: error.description },
    restartUrl: error.code.startsWith('session.') ? restartUrl(context.interaction) : null,
  })
  if (error.code === 'server.unavailable') answer.headers.set('retry-after', '1')
  return answer
}

/** An error page must not need what may just have failed: without settings it has the look of a new tenant. */
export async function readPageContextAnyway(
  dependencies: PageContextSources,
  tenantId: string | undefined,
  request: Request,
  named?: string,
): Promise<PageContext> {
  const builtIn = { ...dependencies, experience: { get: async () => BUILT_IN }, phrases: builtInPhrases }
  if (tenantId === undefined) return readPageContext(builtIn, NOBODY, request, named)
  try {
    return await readPageContext(dependencies, tenantId, request, named)
  } catch {
    return readPageContext(builtIn, tenantId, request, named)
  }
}

/** No tenant has this id, so no cookie opens for it. */
const NOBODY = ''

const BUILT_IN: Experience = {
  ...DEFAULT_EXPERIENCE,
  socialConnectors: [],
  forgotPassword: { email: false, phone: false },
}
