import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import type { OidcPages } from '../../application/applications/oidc-pages.ts'
import { loadCatalogue } from '../../contract/catalogue.ts'
import type { DevicePage, DeviceProblem } from '../../contract/sessions/device.ts'
import { accountLabel } from '../../domain/applications/consent.ts'
import { refusalMessage } from '../../domain/messages.ts'
import { nonEmptyText } from '../../domain/place.ts'
import { toAccount } from '../../storage/users/users.ts'
import { recordDenial } from '../audit.ts'
import { type PageAnswer, respond } from '../page-answer.ts'
import { providerRequest } from '../request-context.ts'
import { TooManyDeviceTries } from './device-flow.ts'

/** The pages of the library's device flow (spec/provider#devices). */

/** Letters that codes have, four and four; anything else in an address is no code. */
const CODE = /^([b-df-hj-np-tv-xz]{4})-?([b-df-hj-np-tv-xz]{4})$/i

/** The first page, and the page after an error: the library says what went wrong by its message. */
export async function renderCodeForm(
  pages: OidcPages,
  ctx: KoaContextWithOIDC,
  form: string,
  error?: Error & { userCode?: string },
): Promise<void> {
  if (error && hasDenied(error)) {
    recordDenial(ctx)
    return show(pages, ctx, { stage: 'denied' })
  }
  const typed = new URL(providerRequest().request.url).searchParams.get('user_code') ?? error?.userCode ?? ''
  const [, first, second] = CODE.exec(typed.replaceAll(/[\s_]/g, '')) ?? []
  const code = first && second ? `${first}-${second}`.toUpperCase() : ''
  if (error instanceof TooManyDeviceTries) ctx.set('Retry-After', String(error.retryAfter))
  const problem = error ? await problemOf(pages, error) : null
  await show(pages, ctx, { stage: 'code', ...formIn(form), code, problem })
}

export async function renderQuestion(
  pages: OidcPages,
  ctx: KoaContextWithOIDC,
  {
    form,
    client,
    deviceInfo,
    code,
  }: { form: string; client: Client; deviceInfo: Record<string, unknown>; code: string },
): Promise<void> {
  const { accountId } = ctx.oidc.session ?? {}
  const user = accountId === undefined ? null : await providerRequest().work.user(accountId)
  await show(pages, ctx, {
    stage: 'question',
    ...formIn(form),
    code,
    question: {
      application: { name: client.clientName ?? client.clientId, logo: client.logoUri ?? null },
      asked: {
        at: Number(deviceInfo.seenAt),
        userAgent: nonEmptyText(deviceInfo.userAgent),
        country: nonEmptyText(deviceInfo.country),
        city: nonEmptyText(deviceInfo.city),
      },
      account: user && accountLabel(toAccount(user)),
    },
  })
}

export const renderAllowed = (pages: OidcPages, ctx: KoaContextWithOIDC) =>
  show(pages, ctx, { stage: 'allowed' })

/** Another browser has answered for this device meanwhile; nothing of this request was written. */
export const renderDecided = async (pages: OidcPages, ctx: PageAnswer): Promise<void> => {
  const page = { stage: 'used' } as const
  await respond(ctx, await pages.device(providerRequest(), { page, status: 400 }))
}

async function show(pages: OidcPages, ctx: KoaContextWithOIDC, page: DevicePage): Promise<void> {
  const { status } = ctx
  const answer = await pages.device(providerRequest(), { page, status: status === 404 ? 200 : status })
  // The library sends cookies of its own beside that of the language.
  for (const cookie of answer.headers.getSetCookie()) ctx.append('Set-Cookie', cookie)
  await respond(ctx, answer)
}

/** The user said no, on this page or on that of the sign-in. */
const hasDenied = ({ message }: Error) =>
  message === 'the interaction was aborted' || message === 'oidc.aborted'

/** By their messages: names of classes are not kept in the Worker. */
const problems: Record<string, DeviceProblem> = {
  'no code submitted': 'unknown',
  'the code was not found': 'unknown',
  'the code has expired': 'used',
  'code has already been used': 'used',
}

async function problemOf(pages: OidcPages, error: Error): Promise<DeviceProblem> {
  if (!(error instanceof TooManyDeviceTries)) return problems[error.message] ?? 'again'
  const catalogue = await loadCatalogue(await pages.language(providerRequest()))
  const data = { retryAfter: error.retryAfter }
  return { message: refusalMessage(catalogue, 'request.too_many_requests', data) }
}

/** Of the form that the library has drawn. */
const formIn = (form: string) => ({
  action: /action="([^"]*)"/.exec(form)?.[1] ?? '',
  xsrf: /name="xsrf" value="([^"]*)"/.exec(form)?.[1] ?? '',
})
