import type { Dependencies } from '../../application/dependencies.ts'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import { VERIFICATION_LIFETIME } from '../../domain/sessions/verification.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { beginFlow } from './flow-cookies.ts'
import { type Asked, CALLBACK, redirectTo } from './redirect.ts'

/** What a sign-in has to prove, where a usual one is not enough. */
export type FreshProof = { needsTwoFactors: boolean }

type Wanted = { to: string; proof?: FreshProof | undefined; resets?: string | undefined; anew?: string }

/**
 * Sends the browser to the provider as any application does: authorization code, PKCE, state (spec/account-centre#sign-in). `to` is a
 * path of ours, and no request names it: it travels sealed. `resets` is the address by which a password is to be reset first, `anew` that
 * of an account which signs in whoever is signed in.
 */
export async function beginSignIn(
  dependencies: Pick<Dependencies, 'seals'>,
  { tenantId, url, request }: Asked,
  { to, proof, resets, anew }: Wanted,
): Promise<Response> {
  const [state, verifier] = [randomText(), randomText()]
  const query = new URLSearchParams({
    client_id: ACCOUNT_APP_ID,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: url.origin + CALLBACK,
    code_challenge: await sha256Base64Url(verifier),
    code_challenge_method: 'S256',
    state,
    ...(proof && { max_age: String(VERIFICATION_LIFETIME / 1000) }),
    ...(resets && { interaction_mode: 'resetPassword', login_hint: resets, prompt: 'login' }),
    ...(anew !== undefined && { prompt: 'login', ...(anew && { login_hint: anew }) }),
    ...(proof?.needsTwoFactors && { acr_values: 'urn:vestibule:acr:2fa' }),
  })
  const cookies = await beginFlow(dependencies, { tenantId, url, request }, { state, verifier, to })
  return redirectTo(`/oidc/auth?${query}`, request.method === 'POST' ? 303 : 302, cookies)
}

const randomText = () =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true })
