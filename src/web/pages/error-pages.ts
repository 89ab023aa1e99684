import type { Dependencies } from '../../application/dependencies.ts'
import { loadCatalogue } from '../../contract/catalogue.ts'
import { type ErrorCode, type Refusal, refuse } from '../../contract/errors.ts'
import { RefusalError } from '../../contract/refused.ts'
import { refusalMessage } from '../../domain/messages.ts'
import { isTransient } from '../../storage/database.ts'
import { logFailure } from '../../storage/event-log.ts'
import { pageResponse } from './page.ts'
import {
  type FailedPage,
  type PageContext,
  type PageContextSources,
  readPageContextAnyway,
} from './page-context.ts'
import { guardPage, UNKNOWN_SESSION } from './page-guard.ts'
import { restartUrl } from './restart.ts'

/** The page of a refusal, in the user's language. */
export async function errorPage(
  sources: PageContextSources,
  failed: FailedPage,
  refusal: Refusal,
): Promise<Response> {
  return refusalPage(await readPageContextAnyway(sources, failed), refusal)
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

/** The page of a request that is refused with nothing but a status. */
export const statusPage = (
  sources: PageContextSources,
  failed: FailedPage,
  status: RefusedStatus,
): Promise<Response> => errorPage(sources, failed, refuse(codes[status], undefined, status))

/** An unexpected failure is logged and answered without detail; a refusal is answered with its reason. */
export async function failurePage(
  sources: PageContextSources,
  failed: FailedPage,
  error: Error,
): Promise<Response> {
  if (error instanceof RefusalError) return errorPage(sources, failed, error.refusal)
  const { requestId, request } = failed
  logFailure(error, { requestId, method: request.method, path: new URL(request.url).pathname })
  const code = isTransient(error) ? 'server.unavailable' : 'server.internal'
  return errorPage(sources, failed, refuse(code))
}

/** The same where the context is known already. */
export async function refusalPage(context: PageContext, { code, status, data }: Refusal): Promise<Response> {
  const catalogue = await loadCatalogue(context.language)
  const answer = await pageOfError(context, {
    status,
    code,
    message: refusalMessage(catalogue, code, data),
    description: libraryDescription(data),
  })
  if (data && 'retryAfter' in data) answer.headers.set('retry-after', String(data.retryAfter))
  return answer
}

/** What a library says about its own error, in English. */
function libraryDescription(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('error_description' in data)) return undefined
  return typeof data.error_description === 'string' ? data.error_description : undefined
}

/** The page of an interaction that can only start again (spec/pages#start-again). */
export const startAgainPage = (context: PageContext): Promise<Response> =>
  refusalPage(context, refuse('session.not_found'))

/** The page of an error whose message is known. To start this interaction again helps only after its end. */
export async function pageOfError(
  context: PageContext,
  error: { status: number; code: ErrorCode; message: string; description?: string | undefined },
): Promise<Response> {
  const { continueUrl = null } = context
  const isOver = error.code.startsWith('session.')
  const answer = await pageResponse(context, {
    status: error.status,
    error: { code: error.code, message: error.message, description: error.description },
    restartUrl: isOver ? (restartUrl(context.interaction) ?? continueUrl) : continueUrl,
  })
  if (error.code === 'server.unavailable') answer.headers.set('retry-after', '1')
  return answer
}

/** The answer to a request that the guard does not let in; null for one that may enter. */
export async function guardAnswer(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  { tenantId, context }: { tenantId: string; context: PageContext },
  redirect: (to: string) => Response,
): Promise<Response | null> {
  const decision = guardPage(context)
  switch (decision.kind) {
    case 'enter':
      return null
    case 'notFound':
      return pageResponse(context, { status: 404 })
    case 'startAgain':
      return startAgainPage(context)
    case 'unknownSession':
      // To the operator's address, else to our own page.
      return redirect((await tenantSettings.get(tenantId)).sessionNotFoundRedirectUrl ?? UNKNOWN_SESSION)
    case 'redirect':
      return redirect(decision.to)
  }
}
