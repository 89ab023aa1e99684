import { createApi } from '../../../client/api/api.ts'
import { submitAndReact } from '../../../client/journeys/submit.ts'
import { readAccountLink } from '../../application/account/account-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { readAccessToken } from '../../application/sessions/access-token.ts'
import type { AccountUser } from '../../application/sessions/account-session.ts'
import { type ErrorCode, refuse } from '../../contract/errors.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import { type Identifier, withPassword } from '../../contract/interactions/identifiers.ts'
import { isRecord } from '../../contract/is-record.ts'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { buildReturnUrl } from '../../domain/account/account-link.ts'
import { toBase64Url } from '../../domain/base64.ts'
import { VERIFICATION_LIFETIME } from '../../domain/sessions/verification.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { createFormClient, type InProcessFetch } from '../in-process.ts'
import { createBootData } from '../pages/boot-data.ts'
import { renderRejectionPage } from '../pages/error-pages.ts'
import { type PageContext, readPageContext } from '../pages/page-context.ts'
import { redirectTo } from '../redirect.ts'
import {
  beginFlow,
  deleteAccountCookies,
  deleteFlow,
  type SignInFlow,
  sealAccountCookie,
  unsealAccountCookie,
  unsealFlow,
} from './cookies.ts'
import type { RequiredProof, Visit } from './visit.ts'

export const CALLBACK_PATH = '/account/callback'

type SignInRequest = {
  /**
   * The path to which the browser is redirected after sign-in. It is stored in a sealed cookie, so requests cannot
   * change it.
   */
  to: string
  /** Additional requirements for the sign-in, such as two factors. */
  proof?: RequiredProof | undefined
  /** The email address or phone number for a password reset that precedes the sign-in. */
  resetAddress?: string | undefined
  /** The identifier of the account to which the user has to sign in, even if already signed in to another account. */
  accountHint?: string
}

/**
 * Redirects the browser to the provider as any application would: with the code flow, PKCE and a state
 * (spec/account-centre#sign-in).
 */
export async function beginSignIn(
  dependencies: Pick<Dependencies, 'seals' | 'experience'>,
  visit: Visit,
  { to, proof, resetAddress, accountHint }: SignInRequest,
): Promise<Response> {
  const [state, verifier] = [randomText(), randomText()]
  const hint = proof && loginHintOf(proof.user, await dependencies.experience.get(visit.tenantId))
  const query = new URLSearchParams({
    client_id: ACCOUNT_APP_ID,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: visit.url.origin + CALLBACK_PATH,
    code_challenge: await sha256Base64Url(verifier),
    code_challenge_method: 'S256',
    state,
    ...(hint !== undefined && { max_age: String(VERIFICATION_LIFETIME / 1000), login_hint: hint }),
    ...(resetAddress && { interaction_mode: 'resetPassword', login_hint: resetAddress, prompt: 'login' }),
    ...(accountHint !== undefined && { prompt: 'login', ...(accountHint && { login_hint: accountHint }) }),
    ...(proof?.needsTwoFactors && { acr_values: 'urn:vestibule:acr:2fa' }),
  })
  const cookies = await beginFlow(dependencies, visit, { state, verifier, to })
  return redirectTo(`/oidc/auth?${query}`, visit.request.method === 'POST' ? 303 : 302, cookies)
}

/** Returns the identifier with which the sign-in page fills in its field: one that the tenant signs users in with. */
function loginHintOf(user: AccountUser['user'], { signIn }: Pick<Experience, 'signIn'>): string {
  const accepted = new Set(signIn.methods.map(({ identifier }) => identifier))
  const { primaryEmail, username, primaryPhone } = user
  if (primaryEmail !== null && accepted.has('email')) return primaryEmail
  if (username !== null && accepted.has('username')) return username
  return primaryPhone !== null && accepted.has('phone') ? `+${primaryPhone}` : ''
}

const randomText = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))

/**
 * Handles the provider's response. The code is exchanged for tokens within this Worker, and the browser is redirected
 * to the requested page.
 */
export async function finishSignIn(
  dependencies: Dependencies,
  visit: Visit,
  fetch: InProcessFetch,
): Promise<Response> {
  const { tenantId, url, request } = visit
  const flow = await unsealFlow(dependencies, visit)
  if (!flow) return startAgain(dependencies, visit)
  const code = url.searchParams.get('code')
  if (code === null) return handleDecline(dependencies, visit, flow)

  const tokenResponse = await createFormClient(request, fetch).fetch('/oidc/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: ACCOUNT_APP_ID,
      code,
      code_verifier: flow.verifier,
      redirect_uri: url.origin + CALLBACK_PATH,
    }),
  })
  if (tokenResponse.status >= 500) refuseWith('server.unavailable')
  const tokens: unknown = await tokenResponse.json()
  if (!isRecord(tokens) || typeof tokens.access_token !== 'string') return startAgain(dependencies, visit)
  const owner = await readAccessToken(dependencies.db, tenantId, tokens.access_token, dependencies.now())
  if (owner.kind !== 'user' || owner.token.sessionUid === undefined) return startAgain(dependencies, visit)

  const { accountId: userId, sessionUid, grantId, iat, extra } = owner.token
  const session = { userId, sessionUid, grantId, signedInAt: extra?.auth_time ?? iat }
  const cookies = await Promise.all([
    sealAccountCookie(dependencies, visit, '_account', session),
    sealAccountCookie(dependencies, visit, '_account_hint', { idToken: String(tokens.id_token) }),
  ])
  return redirectTo(flow.to, 302, [...cookies, deleteFlow(flow, url)])
}

/** The errors with which the provider reports that the user cancelled (spec/interaction#cancel) or denied consent. */
const DECLINE_ERRORS = ['oidc.aborted', 'access_denied']

/**
 * Handles an error from the provider. If the user cancelled, redirects to the application that linked to the task,
 * after checking its URL again. Otherwise shows an error page.
 */
async function handleDecline(dependencies: Dependencies, visit: Visit, flow: SignInFlow): Promise<Response> {
  const { tenantId, url } = visit
  const to = new URL(flow.to, url)
  const link = await readAccountLink(dependencies, tenantId, to)
  if (!link || !DECLINE_ERRORS.includes(url.searchParams.get('error') ?? ''))
    return refusedPage(dependencies, visit, 'oidc.access_denied')
  const back = buildReturnUrl(link, { page: to.pathname, result: 'cancelled' })
  return redirectTo(back, 302, [deleteFlow(flow, url)])
}

/**
 * Handles a response that this browser did not request, or requested too long ago. The sign-in is not restarted
 * automatically, because that would never end in a browser without cookies.
 */
const startAgain = (dependencies: Dependencies, visit: Visit): Promise<Response> =>
  refusedPage(dependencies, visit, 'session.not_found')

async function refusedPage(dependencies: Dependencies, visit: Visit, code: ErrorCode): Promise<Response> {
  const context = await readPageContext(dependencies, visit)
  return renderRejectionPage({ ...context, interaction: null, continueUrl: '/account' }, refuse(code))
}

type NewAccount = { identifier: Identifier; password: string; to: string; context: PageContext }

/**
 * Signs in the owner of a new account, who has just chosen its password. This uses the provider and the interaction API
 * like the sign-in pages, so the same limits, audit records and second factors apply. If it fails, the user continues
 * on the sign-in pages.
 */
export async function signInInProcess(
  dependencies: Dependencies,
  visit: Visit,
  fetch: InProcessFetch,
  { identifier, password, to, context }: NewAccount,
): Promise<Response> {
  const authorization = await beginSignIn(dependencies, visit, { to, accountHint: identifier.value })
  const client = createFormClient(visit.request, fetch)
  const page = await client.fetch(authorization.headers.get('location') ?? '')
  const firstPageUrl = page.headers.get('location') ?? ''
  const uid = new URL(firstPageUrl, visit.url).searchParams.get('interaction')
  // If the provider does not respond, the browser makes this request itself.
  if (uid === null) return authorization

  const api = createApi({
    baseUrl: visit.url.origin,
    fetch: client.fetch,
    language: context.language,
    interaction: uid,
  })
  const startResult = await api.start({
    event: 'SignIn',
    identifier: withPassword(identifier, password),
  })
  const boot = { ...createBootData(context), interaction: uid, navigation: { hasAgreed: true as const } }
  const reaction = startResult.ok ? await submitAndReact(api, boot) : null
  const cookies = [...authorization.headers.getSetCookie(), ...client.setCookies()]
  return redirectTo(reaction?.kind === 'leave' ? reaction.url : firstPageUrl, 303, cookies)
}

/**
 * Signs the user out. Also ends the provider's session, whereupon the provider notifies the other applications (OpenID
 * Connect RP-Initiated Logout 1.0 §2).
 */
export async function signOut(dependencies: Pick<Dependencies, 'seals'>, visit: Visit): Promise<Response> {
  const hint = await unsealAccountCookie(dependencies, visit, '_account_hint')
  const query = new URLSearchParams({
    client_id: ACCOUNT_APP_ID,
    ...(hint && { id_token_hint: hint.idToken }),
  })
  return redirectTo(`/oidc/session/end?${query}`, 303, deleteAccountCookies(visit.url))
}
