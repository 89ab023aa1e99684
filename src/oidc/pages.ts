import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { OidcPages } from '../application/applications/oidc-pages.ts'
import { loadCatalogue } from '../contract/catalogue.ts'
import type { ErrorBody, ErrorCode } from '../contract/errors.ts'
import { refusalMessage } from '../domain/messages.ts'
import { isTransientError } from '../storage/database.ts'
import { logFailure } from '../storage/event-log.ts'
import { TooManyAccountRequests } from './account-limit.ts'
import { TooManyClientAttempts } from './applications/client-authentication.ts'
import { type ResponseContext, respondWith } from './page-answer.ts'
import { isProtocolEndpoint, serverErrorBody } from './protocol-failure.ts'
import { getProviderRequest } from './request-context.ts'
import { DeviceAlreadyDecided } from './sessions/device-decision.ts'
import { renderDeviceAlreadyDecided } from './sessions/device-pages.ts'

type ErrorContext = ResponseContext & {
  readonly method: string
  readonly path: string
  remove(name: string): void
  accepts(...types: string[]): string | string[] | false
  readonly oidc?: { readonly client?: { readonly clientId: string } | undefined } | undefined
}

/**
 * The library errors that have one of our error codes. All others are reported as `oidc.provider_error`
 * (spec/provider#protocol-errors).
 */
const codes: Record<string, ErrorCode> = {
  InvalidScope: 'oidc.invalid_scope',
  InvalidTarget: 'oidc.invalid_target',
  InvalidToken: 'oidc.invalid_token',
  InvalidClientMetadata: 'oidc.invalid_client_metadata',
  InvalidRedirectUri: 'oidc.invalid_redirect_uri',
  AccessDenied: 'oidc.access_denied',
  UnsupportedGrantType: 'oidc.unsupported_grant_type',
  UnsupportedResponseMode: 'oidc.unsupported_response_mode',
  UnsupportedResponseType: 'oidc.unsupported_response_type',
  InvalidGrant: 'oidc.invalid_grant',
  InsufficientScope: 'oidc.insufficient_scope',
  SessionNotFound: 'session.not_found',
}

/**
 * Responds to an error that cannot be returned to the application. Browsers get a page, other clients our JSON error
 * body.
 */
export async function renderError(pages: OidcPages, ctx: ErrorContext, error: unknown): Promise<void> {
  const body = await toErrorBody(pages, error)
  if (ctx.accepts('json', 'html') !== 'html') {
    ctx.body = body
    return
  }
  const description = isExpected(error) ? error.error_description : undefined
  const { code, message: text } = body
  const { status } = ctx
  // A client that failed to authenticate is not trusted to be the client that it claims to be.
  const clientId = error instanceof errors.InvalidClient ? undefined : ctx.oidc?.client?.clientId
  await respondWith(
    ctx,
    await pages.error(getProviderRequest(), { status, code, message: text, description, clientId }),
  )
}

/**
 * Replaces the library's response with an error. The request's writes were not stored, so its cookies must not be set.
 */
export async function respondToFailure(pages: OidcPages, ctx: ErrorContext, error: unknown): Promise<void> {
  for (const header of ['Set-Cookie', 'Location', 'Content-Type', 'Content-Security-Policy'])
    ctx.remove(header)
  ctx.status = statusOf(error)
  if (ctx.status === 503) ctx.set('Retry-After', '1')
  if (error instanceof DeviceAlreadyDecided) return renderDeviceAlreadyDecided(pages, ctx)
  if (error instanceof TooManyClientAttempts || error instanceof TooManyAccountRequests)
    ctx.set('Retry-After', String(error.retryAfter))
  if (!isExpected(error)) logFailure(error, { requestId: getProviderRequest().requestId })

  if (isProtocolEndpoint(ctx.path)) {
    ctx.body = isExpected(error)
      ? { error: error.message, error_description: error.error_description }
      : serverErrorBody(ctx.status)
    return
  }
  await renderError(pages, ctx, error)
}

export async function renderLogout(pages: OidcPages, ctx: KoaContextWithOIDC, form: string): Promise<void> {
  const action = /action="([^"]*)"/.exec(form)?.[1] ?? ''
  const xsrf = /name="xsrf" value="([^"]*)"/.exec(form)?.[1] ?? ''
  // A request with an ID token of this session must come from the application itself, so the user does not have to
  // confirm the sign-out (spec/provider#logout).
  const subject = ctx.oidc.entities.IdTokenHint?.payload.sub
  const asksToConfirm = subject === undefined || subject !== ctx.oidc.session?.accountId
  const uri = ctx.oidc.params?.post_logout_redirect_uri
  const postLogoutRedirectUri = typeof uri === 'string' ? uri : undefined
  await respondWith(
    ctx,
    await pages.logout(getProviderRequest(), { action, xsrf, asksToConfirm, postLogoutRedirectUri }),
  )
}

const SIGNED_OUT = '/session/end/success'

/** Names the application in the URL of the page after a sign-out, which links to it. The library leaves it out. */
export function nameSignedOutApplication(
  ctx: Pick<ErrorContext, 'oidc'> & {
    readonly response: { get(name: string): string }
    set(name: string, value: string): void
  },
): void {
  const client = ctx.oidc?.client
  const location = ctx.response.get('Location')
  if (client && location.endsWith(SIGNED_OUT))
    ctx.set('Location', `${location}?client_id=${encodeURIComponent(client.clientId)}`)
}

export async function renderLoggedOut(pages: OidcPages, ctx: KoaContextWithOIDC): Promise<void> {
  await respondWith(ctx, await pages.loggedOut(getProviderRequest(), { clientId: ctx.oidc.client?.clientId }))
}

function statusOf(error: unknown): number {
  if (isExpected(error)) return error.statusCode
  return isTransientError(error) ? 503 : 500
}

const isExpected = (error: unknown): error is errors.OIDCProviderError =>
  error instanceof errors.OIDCProviderError

async function toErrorBody(pages: OidcPages, error: unknown): Promise<ErrorBody> {
  const language = await pages.language(getProviderRequest())
  const texts = { catalogue: await loadCatalogue(language), language }
  if (!isExpected(error)) {
    const code = isTransientError(error) ? 'server.unavailable' : 'server.internal'
    return { code, message: refusalMessage(texts, code, {}) }
  }
  // Only the library's errors keep their class names in the deployed Worker (load-library.ts).
  const code =
    error instanceof TooManyAccountRequests
      ? 'request.too_many_requests'
      : (codes[error.constructor.name] ?? 'oidc.provider_error')
  const data = {
    error_description: error.error_description,
    error_detail: error.error_detail,
    ...(error instanceof TooManyAccountRequests && { retryAfter: error.retryAfter }),
  }
  return { code, message: refusalMessage(texts, code, data), data }
}
