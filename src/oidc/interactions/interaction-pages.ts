import type { Interaction, KoaContextWithOIDC } from 'oidc-provider'
import { hostCookieName } from '../../contract/cookie-names.ts'
import { INTERACTION_PARAM } from '../../contract/interactions/interaction.ts'
import {
  NETWORK_PATH,
  NETWORK_PROMPT,
  ORGANIZATION_PATH,
  PERSONAL,
  SELECT_ORGANIZATION,
} from '../../contract/organisations/organizations.ts'
import { ACCOUNT_APP_ID, DEMO_APP_ID } from '../../contract/product.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { RETURNING_PATH } from '../../contract/sessions/remembered-accounts.ts'
import { parseLoginHint } from '../../domain/interactions/login-hint.ts'
import { truncateText } from '../../domain/log-bounds.ts'
import type { Database } from '../../storage/database.ts'
import {
  cookieExpiry,
  INTERACTION_COOKIE_PREFIX,
  type InteractionCookie,
  type InteractionOrganization,
  interactionCookieName,
  NAVIGATION_STATE_SECONDS,
  navigationCookieName,
} from '../../storage/interactions/interaction-cookies.ts'
import { insertInteraction } from '../../storage/interactions/interaction-creation.ts'
import type { InteractionStore } from '../../storage/interactions/interactions.ts'
import { chosenMembership } from '../access/organization.ts'
import { isThirdParty } from '../applications/third-party.ts'
import type { BrowserInteraction } from '../persistence/prefetch.ts'
import { getProviderRequest } from '../request-context.ts'
import { choosesAnotherAccount } from '../sessions/device-flow.ts'
import { type BrowserRules, describeBrowser } from '../sessions/remembered-browser.ts'

/**
 * The maximum number of concurrent interactions per browser. With more, their cookies could make request headers too
 * large (spec/provider#interaction-cookie).
 */
const MAX_INTERACTIONS = 8
/**
 * The maximum length of the authorization request in the cookie, in characters. Longer requests are left out of the
 * cookie, so the pages of their interactions cannot restart them (spec/provider#interaction-cookie).
 */
const MAX_REQUEST_LENGTH = 1_500

/**
 * Returns the URL of a prompt's page (spec/provider#prompts), and sets the sealed cookie with which the browser can
 * access the interaction (ADR-0005).
 */
export function interactionUrl(
  interactions: InteractionStore,
  { experience, settings }: Pick<BrowserRules, 'experience' | 'settings'>,
) {
  return async (ctx: KoaContextWithOIDC, interaction: Interaction): Promise<string> => {
    const request = Object.fromEntries(
      Object.entries(interaction.params).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    )
    const isOfDevice = typeof Reflect.get(interaction, 'deviceCode') === 'string'
    const { interaction_mode: mode, login_hint: hint } = request
    const isLogin = interaction.prompt.name === 'login'
    const { tenantId, work, request: httpRequest, ip, now } = getProviderRequest()
    const browser = isLogin
      ? await describeBrowser(ctx.oidc.client, {
          experience,
          settings,
          isOfDevice,
          // An application that names an account, or another first page, knows better. So does a user who has just
          // asked for another account on a device.
          mayWelcome: hint === undefined && mode === undefined && !choosesAnotherAccount(ctx),
        })
      : {}
    const organization = await knownOrganization(ctx)
    const cookie: InteractionCookie = {
      exp: interaction.exp,
      clientId: String(interaction.params.client_id),
      ...(organization && { organization }),
      ...restartFacts(request, isOfDevice),
      ...browser,
      // All interactions have this property, but the library's types do not declare it.
      ...(Reflect.get(interaction, 'parJti') ? { isPushed: true } : {}),
      ...(interaction.prompt.name === 'consent' &&
      (isOfDevice || (ctx.oidc.client && isThirdParty(ctx.oidc.client)))
        ? { asksConsent: true }
        : {}),
    }
    const userAgent = truncateText(httpRequest.headers.get('user-agent') ?? '') || undefined
    const pendingRow = { row: { ...work.newInteraction() }, at: now(), ip, userAgent }
    expireOldest(ctx)
    ctx.cookies.set(
      hostCookieName(interactionCookieName(interaction.uid), ctx.URL),
      await interactions.of(tenantId).sealFirstCookie(interaction.uid, cookie, pendingRow),
      { ...attributes, expires: new Date(cookieExpiry(cookie)) },
    )
    if (isLogin) await storeLoginHint(ctx, interactions, interaction)

    const query = new URLSearchParams({ [INTERACTION_PARAM]: interaction.uid })
    if (interaction.prompt.name === 'consent') return `/sign-in/consent?${query}`
    if (interaction.prompt.name === SELECT_ORGANIZATION) return `${ORGANIZATION_PATH}?${query}`
    if (interaction.prompt.name === NETWORK_PROMPT) return `${NETWORK_PATH}?${query}`
    const isForDemo = request.client_id === DEMO_APP_ID && mode !== 'resetPassword'
    // The account centre limits the age of a sign-in only before a change that needs a fresh proof.
    const isStepUp = request.client_id === ACCOUNT_APP_ID && request.max_age !== undefined
    const notification = isForDemo
      ? 'notification=demo_app.notification&no_cache&'
      : isStepUp
        ? 'notification=vestibule.step_up&'
        : ''
    const page = browser.welcomesAccounts ? RETURNING_PATH : await firstPage(mode)
    return `${page}?${notification}${query}`
  }

  /** Returns the first page, which the application may choose. */
  async function firstPage(mode: string | undefined): Promise<string> {
    if (mode === 'signUp') return '/register'
    if (mode !== 'resetPassword') return '/sign-in'
    const { email, phone } = (await experience()).forgotPassword
    return email || phone ? '/forgot-password' : '/sign-in'
  }
}

/** Returns the organisation for which the user acts, or the one that the request names if nobody has signed in yet. */
async function knownOrganization(ctx: KoaContextWithOIDC): Promise<InteractionOrganization | undefined> {
  const membership = await chosenMembership(ctx)
  if (membership) return { id: membership.id, isMember: true }
  const requested = ctx.oidc.params?.organization
  return typeof requested === 'string' && requested !== PERSONAL ? { id: requested } : undefined
}

/**
 * Returns the cookie fields with which the interaction can be restarted. Interactions of the device flow have no
 * authorization request; users enter the code again.
 */
function restartFacts(request: Record<string, string>, isOfDevice: boolean): Partial<InteractionCookie> {
  if (isOfDevice) return { isOfDevice: true }
  return JSON.stringify(request).length <= MAX_REQUEST_LENGTH
    ? { request }
    : { redirectUri: request.redirect_uri }
}

/**
 * Stores the identifier from `login_hint`, which prefills the first page as if the user had gone back to it
 * (spec/provider#login-hint).
 */
async function storeLoginHint(
  ctx: KoaContextWithOIDC,
  interactions: InteractionStore,
  { uid, params }: Interaction,
): Promise<void> {
  const { tenantId, now } = getProviderRequest()
  const identifier = typeof params.login_hint === 'string' ? parseLoginHint(params.login_hint) : null
  if (!identifier) return
  const sealed = await interactions.of(tenantId).sealNavigationState(uid, { identifier }, now())
  const expires = new Date(now() + NAVIGATION_STATE_SECONDS * 1000)
  ctx.cookies.set(hostCookieName(navigationCookieName(uid), ctx.URL), sealed, { ...attributes, expires })
}

/**
 * Reads the interaction that a browser resumes, and creates its row if no call has done so yet. Returns null if the
 * browser does not have the sealed cookie. The library's signed resume cookie is not enough: because it has a path, it
 * cannot have the prefix `__Host-`, so another host of the domain could set it (spec/provider#authorization).
 */
export const readBrowserInteraction =
  (db: Database, interactions: InteractionStore) =>
  async (uid: string): Promise<BrowserInteraction | null> => {
    const { tenantId, request, now } = getProviderRequest()
    const cookies = requestCookies(request)
    const store = interactions.of(tenantId)
    const cookie = await store.openCookie(uid, cookies[interactionCookieName(uid)], now())
    if (!cookie) return null
    const pendingRow = await store.readPendingRow(uid, cookie)
    const creation = pendingRow ? [insertInteraction(db, { tenantId, uid }, pendingRow)] : []
    const { resource, organization } = cookie.request ?? {}
    return { clientId: cookie.clientId, resource, organization, creation }
  }

const attributes = { path: '/', httpOnly: true, sameSite: 'lax', signed: false, overwrite: true } as const

/** Expires the cookies of the oldest interactions. Browsers send the oldest cookies first (RFC 6265 §5.4). */
function expireOldest(ctx: KoaContextWithOIDC): void {
  const names = Object.keys(requestCookies(getProviderRequest().request))
  const cookies = names.filter(
    (name) => name.startsWith(INTERACTION_COOKIE_PREFIX) && name !== '_interaction_resume',
  )
  for (const name of cookies.slice(0, Math.max(0, cookies.length - MAX_INTERACTIONS + 1))) {
    if (name.endsWith('.sig')) continue
    const uid = name.slice(INTERACTION_COOKIE_PREFIX.length)
    for (const old of [name, navigationCookieName(uid)])
      ctx.cookies.set(hostCookieName(old, ctx.URL), null, attributes)
  }
}
