import { Hono } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request.ts'
import { CHANGE_PASSWORD_STATE, DEMO_APP_ID, SIGNED_IN_PAGE } from '../contract/product.ts'

/**
 * Serves the well-known URL that password managers open to let users change a password (spec/pages#change-password;
 * https://w3c.github.io/webappsec-change-password-url/). It redirects to the operator's page, or else to the first page
 * of a password reset.
 */
export function changePasswordRoute({ tenantSettings }: Pick<Dependencies, 'tenantSettings'>) {
  return new Hono<{ Variables: RequestFacts }>().get('/.well-known/change-password', async (c) => {
    const { changePasswordUrl } = await tenantSettings.get(c.var.tenantId)
    c.header('Cache-Control', 'no-store')
    return c.redirect(changePasswordUrl ?? resetUrl(new URL(c.req.url).origin), 302)
  })
}

/**
 * Returns the URL of an authorization request that begins with a password reset, because all sign-in pages require such
 * a request. No application makes the request, so it does not ask for a code (`response_type=none`, OAuth 2.0 Multiple
 * Response Types 4). Its client is the built-in demo application (spec/provider#change-password).
 */
function resetUrl(origin: string): string {
  const request = {
    client_id: DEMO_APP_ID,
    response_type: 'none',
    scope: 'openid',
    redirect_uri: origin + SIGNED_IN_PAGE,
    state: CHANGE_PASSWORD_STATE,
    // Users came to change the password, so they have to sign in again even if they are already signed in.
    prompt: 'login',
    interaction_mode: 'resetPassword',
  }
  return `/oidc/auth?${new URLSearchParams(request)}`
}
