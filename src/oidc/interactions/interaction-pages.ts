import { type Interaction, type KoaContextWithOIDC, interactionPolicy as policies } from 'oidc-provider'
import { hostCookieName } from '../../contract/cookie-names.ts'
import { INTERACTION_PARAM } from '../../contract/interactions/interaction.ts'
import { ACCOUNT_APP_ID, DEMO_APP_ID } from '../../contract/product.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { RETURNING_PATH } from '../../contract/sessions/remembered-accounts.ts'
import { parseLoginHint } from '../../domain/interactions/login-hint.ts'
import { truncateText } from '../../domain/log-bounds.ts'
import type { Database } from '../../storage/database.ts'
import { insertInteraction } from '../../storage/interactions/interaction-creation.ts'
import {
  cookieExpiry,
  INTERACTION_COOKIE_PREFIX,
  type InteractionCookie,
  type InteractionStore,
  interactionCookieName,
  NAVIGATION_STATE_SECONDS,
  navigationCookieName,
} from '../../storage/interactions/interactions.ts'
import { type FactorSettings, needsAdministratorFactor } from '../access/administrator-factor.ts'
import { missingClaims } from '../access/claims.ts'
import { needsRecentSignIn } from '../access/resource-servers.ts'
import { consentDetails, consentEachTime, hasNewResource, isThirdParty } from '../applications/third-party.ts'
import type { BrowserInteraction } from '../persistence/prefetch.ts'
import { getProviderRequest } from '../request-context.ts'
import { awaitsDeviceDecision, choosesAnotherAccount } from '../sessions/device-flow.ts'
import { type BrowserRules, describeBrowser } from '../sessions/remembered-browser.ts'
import { needsStrongerSignIn, policyRequiresSignIn, refuseUnknownLevels } from './authentication-level.ts'

const { base, Check } = policies

/** Returns the library's prompts with our rules added (spec/provider#prompts). */
export function interactionPolicy(settings: FactorSettings) {
  const policy = base()

  const missingUser = new Check(
    'account_gone',
    'the account of this session no longer exists',
    'login_required',
    ({ oidc }) => {
      if (!oidc.session?.accountId || oidc.account) return Check.NO_NEED_TO_PROMPT
      // Without this check, the library would compare the next user who signs in with an account that no longer exists.
      Reflect.deleteProperty(oidc.session, 'accountId')
      return Check.REQUEST_PROMPT
    },
  )
  const recent = new Check(
    'recent_sign_in',
    'the requested resource requires a recent sign-in',
    'login_required',
    needsRecentSignIn,
  )
  const login = policy.get('login')
  login?.checks.add(missingUser, 0)
  login?.checks.add(recent)
  // The library's own checks require exactly the requested level. They would ask the user again and again if the
  // sign-in does not reach that level.
  login?.checks.remove('essential_acrs')
  login?.checks.remove('essential_acr')
  login?.checks.add(
    new Check('unknown_acr', 'no requested level is supported', 'login_required', ({ oidc }) =>
      refuseUnknownLevels(oidc),
    ),
    0,
  )
  login?.checks.add(
    new Check('weak_acr', 'the request requires a stronger sign-in', 'login_required', needsStrongerSignIn),
  )
  login?.checks.add(
    new Check(
      'undecided_policy',
      'the application requires a sign-in of its own',
      'login_required',
      policyRequiresSignIn,
    ),
  )
  login?.checks.add(
    new Check(
      'administrator_factor',
      'administrators need a second factor',
      'login_required',
      needsAdministratorFactor(settings),
    ),
  )

  login?.checks.add(
    new Check(
      'other_account',
      'the user wants to use another account on the device',
      'login_required',
      choosesAnotherAccount,
    ),
  )

  const consent = policy.get('consent')
  const native = consent?.checks.get('native_client_prompt')
  if (consent && native) {
    consent.details = consentDetails
    consent.checks.remove('native_client_prompt')
    // The library would also ask for claims that a requested scope releases anyway.
    consent.checks.remove('op_claims_missing')
    consent.checks.add(
      new Check(
        'op_claims_missing',
        'requested claims not granted',
        'consent_required',
        (ctx) => missingClaims(ctx, ctx.oidc.grant).length > 0,
        (ctx) => ({ missingOIDCClaims: missingClaims(ctx, ctx.oidc.grant) }),
      ),
    )
    consent.checks.add(
      new Check(native.reason, native.description, 'interaction_required', (ctx) =>
        ctx.oidc.client && isThirdParty(ctx.oidc.client) ? native.check(ctx) : Check.NO_NEED_TO_PROMPT,
      ),
    )
    for (const { reason, description, applies } of consentEachTime)
      consent.checks.add(
        new Check(
          reason,
          description,
          'consent_required',
          ({ oidc }) => oidc.client !== undefined && applies(oidc.client) && !oidc.result?.consent,
        ),
      )
    consent.checks.add(
      new Check(
        'device_undecided',
        'the user has not decided about the device',
        'consent_required',
        awaitsDeviceDecision,
      ),
    )
    consent.checks.add(new Check('resources_missing', 'requested resources not granted', hasNewResource))
  }
  return policy
}

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
    const cookie: InteractionCookie = {
      exp: interaction.exp,
      clientId: String(interaction.params.client_id),
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
    return { clientId: cookie.clientId, resource: cookie.request?.resource, creation }
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
