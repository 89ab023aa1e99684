import type { Dependencies } from '../../application/dependencies.ts'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import { forgetAccountCookies, openAccountCookie } from './cookies.ts'
import { type Asked, redirectTo } from './redirect.ts'

/** Ends the session of the provider, too, which tells the other applications (OpenID Connect RP-Initiated Logout 1.0 §2). */
export async function signOut(dependencies: Pick<Dependencies, 'seals'>, asked: Asked): Promise<Response> {
  const hint = await openAccountCookie(dependencies, asked, '_account_hint')
  const query = new URLSearchParams({
    client_id: ACCOUNT_APP_ID,
    ...(hint && { id_token_hint: hint.idToken }),
  })
  return redirectTo(`/oidc/session/end?${query}`, 303, forgetAccountCookies(asked.url))
}
