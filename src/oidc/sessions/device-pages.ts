import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { OidcPages } from '../../application/applications/oidc-pages.ts'
import { loadCatalogue } from '../../contract/catalogue.ts'
import { type DevicePage, type DeviceProblem, OTHER_ACCOUNT_PARAM } from '../../contract/sessions/device.ts'
import { refusalMessage } from '../../domain/messages.ts'
import { recordDenial } from '../audit.ts'
import { type ResponseContext, respondWith } from '../page-answer.ts'
import { getProviderRequest } from '../request-context.ts'
import { choosesAnotherAccount, TooManyDeviceAttempts } from './device-flow.ts'

/** Renders the pages of the device flow (spec/provider#devices). */

/** Matches user codes: two groups of four of these letters. Any other value in a URL is ignored. */
const CODE = /^([b-df-hj-np-tv-xz]{4})-?([b-df-hj-np-tv-xz]{4})$/i

type DeviceForm = {
  /** The library's form, from which only the values are used. */
  form: string
  error?: (Error & { userCode?: string }) | undefined
  userCode?: string | undefined
}

/** Renders the page for entering the code. If there is an error, it is identified by the library's message. */
export async function renderDeviceCodeForm(
  pages: OidcPages,
  ctx: KoaContextWithOIDC,
  { form, error, userCode = error?.userCode }: DeviceForm,
): Promise<void> {
  if (error && hasDenied(error)) {
    recordDenial(ctx)
    return show(pages, ctx, { stage: 'denied' })
  }
  if (error && hasEndedCode(ctx, error)) return show(pages, ctx, { stage: 'denied' })
  const { searchParams } = new URL(getProviderRequest().request.url)
  const givenCode = searchParams.get('user_code') ?? userCode ?? ''
  const [, first, second] = CODE.exec(givenCode.replaceAll(/[\s_]/g, '')) ?? []
  const code = first && second ? `${first}-${second}`.toUpperCase() : ''
  if (error instanceof TooManyDeviceAttempts) ctx.set('Retry-After', String(error.retryAfter))
  const problem = error ? await problemOf(pages, error) : null
  const isSignedIn = ctx.oidc.session?.accountId !== undefined
  const choosesAccount = searchParams.has(OTHER_ACCOUNT_PARAM) || choosesAnotherAccount(ctx)
  await show(pages, ctx, { stage: 'code', ...formFields(form), code, isSignedIn, choosesAccount, problem })
}

export const renderDeviceAllowed = (pages: OidcPages, ctx: KoaContextWithOIDC) =>
  show(pages, ctx, { stage: 'allowed' })

/**
 * Renders the error page for a device about which another browser has already decided. This request has written
 * nothing.
 */
export const renderDeviceAlreadyDecided = async (pages: OidcPages, ctx: ResponseContext): Promise<void> => {
  const page = { stage: 'used' } as const
  await respondWith(ctx, await pages.device(getProviderRequest(), { page, status: 400 }))
}

async function show(pages: OidcPages, ctx: KoaContextWithOIDC, page: DevicePage): Promise<void> {
  const { status } = ctx
  const response = await pages.device(getProviderRequest(), { page, status: status === 404 ? 200 : status })
  // The language cookie is sent together with the cookies that the library sets.
  for (const cookie of response.headers.getSetCookie()) ctx.append('Set-Cookie', cookie)
  await respondWith(ctx, response)
}

/** Reports whether the user denied access, on this page or during the sign-in. */
const hasDenied = ({ message }: Error) =>
  message === 'the interaction was aborted' || message === 'oidc.aborted'

/**
 * Reports whether the request of the device was rejected after its code had been entered. The device is told, and the
 * code cannot be entered again. A failure of the server has saved nothing, so the same code still works.
 */
const hasEndedCode = ({ oidc }: KoaContextWithOIDC, error: Error): boolean =>
  oidc.entities.DeviceCode?.error !== undefined &&
  error instanceof errors.OIDCProviderError &&
  error.statusCode < 500

/**
 * The problems that the page can show, keyed by the message of the library's error. Class names are not available,
 * because the Worker does not keep them.
 */
const problems: Record<string, DeviceProblem> = {
  'no code submitted': 'unknown',
  'the code was not found': 'unknown',
  'the code has expired': 'used',
  'code has already been used': 'used',
}

async function problemOf(pages: OidcPages, error: Error): Promise<DeviceProblem> {
  if (!(error instanceof TooManyDeviceAttempts)) return problems[error.message] ?? 'again'
  const language = await pages.language(getProviderRequest())
  const texts = { catalogue: await loadCatalogue(language), language }
  const data = { retryAfter: error.retryAfter }
  return { message: refusalMessage(texts, 'request.too_many_requests', data) }
}

/** Reads the values from the form that the library rendered. */
const formFields = (form: string) => ({
  action: /action="([^"]*)"/.exec(form)?.[1] ?? '',
  xsrf: /name="xsrf" value="([^"]*)"/.exec(form)?.[1] ?? '',
})
