import type { Dependencies } from '../../application/dependencies.ts'
import { loadCatalogue } from '../../contract/catalogue.ts'
import { type ErrorCode, type Refusal, refuse } from '../../contract/errors.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { RefusalError } from '../../contract/refused.ts'
import { refusalMessage } from '../../domain/messages.ts'
import { isTransientError } from '../../storage/database.ts'
import { logFailure } from '../../storage/event-log.ts'
import { renderPageResponse } from './page.ts'
import {
  type FailedPage,
  type PageContext,
  type PageContextSources,
  readErrorPageContext,
} from './page-context.ts'
import { guardPage, UNKNOWN_SESSION_PATH } from './page-guard.ts'
import { restartUrl } from './restart.ts'

/** Renders the page for a rejected request, in the user's language. */
export async function renderErrorPage(
  sources: PageContextSources,
  failedPage: FailedPage,
  refusal: Refusal,
): Promise<Response> {
  return renderRejectionPage(await readErrorPageContext(sources, failedPage), refusal)
}

const codes = {
  400: 'guard.invalid_input',
  403: 'auth.forbidden',
  404: 'entity.not_found',
  405: 'guard.invalid_input',
  413: 'guard.invalid_input',
  415: 'guard.invalid_input',
} as const satisfies Record<number, ErrorCode>
export type RefusedStatus = keyof typeof codes

/** Renders the page for a request that is rejected with an HTTP status instead of an error code. */
export const renderStatusPage = (
  sources: PageContextSources,
  failed: FailedPage,
  status: RefusedStatus,
): Promise<Response> => renderErrorPage(sources, failed, refuse(codes[status], undefined, status))

/**
 * Renders the page for an error. If the request was rejected, the page shows the reason. An unexpected error is logged
 * and shown without details.
 */
export async function renderFailurePage(
  sources: PageContextSources,
  failed: FailedPage,
  error: Error,
): Promise<Response> {
  if (error instanceof RefusalError) return renderErrorPage(sources, failed, error.refusal)
  const { requestId, request } = failed
  logFailure(error, { requestId, method: request.method, path: new URL(request.url).pathname })
  const code = isTransientError(error) ? 'server.unavailable' : 'server.internal'
  return renderErrorPage(sources, failed, refuse(code))
}

/** Renders the page for a rejected request if its context has already been read. */
export async function renderRejectionPage(
  context: PageContext,
  { code, status, data }: Refusal,
): Promise<Response> {
  const { language } = context
  const catalogue = await loadCatalogue(language)
  const response = await renderPageForError(context, {
    status,
    code,
    message: refusalMessage({ catalogue, language }, code, data),
    description: libraryDescription(data),
  })
  if (data && 'retryAfter' in data) response.headers.set('retry-after', String(data.retryAfter))
  return response
}

/** Returns the English error description from the provider library. */
function libraryDescription(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('error_description' in data)) return undefined
  return typeof data.error_description === 'string' ? data.error_description : undefined
}

/**
 * Renders the page of an interaction that can only be restarted (spec/pages#start-again). If it ended with a sign-in,
 * the page says so. It reveals no account, and its link checks the session.
 */
async function renderStartAgainPage(
  { applications }: Pick<Dependencies, 'applications'>,
  { tenantId, context }: { tenantId: string; context: PageContext },
): Promise<Response> {
  const { hasSignedIn, isOfDevice, clientId } = context.interaction?.cookie ?? {}
  if (!hasSignedIn || isOfDevice) return renderRejectionPage(context, refuse('session.not_found'))
  const application = await applications.get(JSON.stringify([tenantId, clientId])).catch(() => null)
  return renderPageResponse(context, { alreadySignedIn: { application: application?.name ?? null } })
}

/**
 * Renders an error page. If the interaction has ended, the page offers to restart it. `notice` is shown above the page.
 */
export async function renderPageForError(
  context: PageContext,
  error: {
    status: number
    code: ErrorCode
    message: string
    description?: string | undefined
    notice?: BootData['notice']
  },
): Promise<Response> {
  const { continueUrl = null } = context
  const isOver = error.code.startsWith('session.')
  const response = await renderPageResponse(context, {
    status: error.status,
    error: { code: error.code, message: error.message, description: error.description },
    notice: error.notice ?? null,
    restartUrl: isOver ? (restartUrl(context.interaction) ?? continueUrl) : continueUrl,
  })
  if (error.code === 'server.unavailable') response.headers.set('retry-after', '1')
  return response
}

/** Returns the response to a request that the page guard rejects, or null if the page may be shown. */
export async function respondToGuard(
  dependencies: Pick<Dependencies, 'tenantSettings' | 'applications'>,
  { tenantId, context }: { tenantId: string; context: PageContext },
  redirect: (to: string) => Response,
): Promise<Response | null> {
  const decision = guardPage(context)
  switch (decision.kind) {
    case 'enter':
      return null
    case 'notFound':
      return renderPageResponse(context, { status: 404 })
    case 'startAgain':
      return renderStartAgainPage(dependencies, { tenantId, context })
    case 'unknownSession':
      // Redirect to the operator's page or, if there is none, show our own.
      return redirect(
        (await dependencies.tenantSettings.get(tenantId)).sessionNotFoundRedirectUrl ?? UNKNOWN_SESSION_PATH,
      )
    case 'redirect':
      return redirect(decision.to)
  }
}
