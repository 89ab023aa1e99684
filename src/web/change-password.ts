import { Hono } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { CHANGE_PASSWORD_STATE, DEMO_APP_ID, SIGNED_IN_PAGE } from '../contract/product.ts'

/**
 * Where password managers send people who should change a password (decision 43;
 * https://w3c.github.io/webappsec-change-password-url/): where the operator wants them, else to the first page of a reset.
 */
export function changePasswordRoute({ tenantSettings }: Pick<Dependencies, 'tenantSettings'>) {
  return new Hono<{ Variables: RequestFacts }>().get('/.well-known/change-password', async (c) => {
    const { changePasswordUrl } = await tenantSettings.get(c.var.tenantId)
    c.header('Cache-Control', 'no-store')
    return c.redirect(changePasswordUrl ?? resetUrl(new URL(c.req.url).origin), 302)
  })
}

/**
 * Pages belong to an authorization, and nobody has asked for this one: it asks for no code (`response_type=none`, OAuth
 * 2.0 Multiple Response Types 4), and the built-in client that lends its name ends at a page that says so.
 */
function resetUrl(origin: string): string {
  const request = {
    client_id: DEMO_APP_ID,
    response_type: 'none',
    scope: 'openid',
    redirect_uri: origin + SIGNED_IN_PAGE,
    state: CHANGE_PASSWORD_STATE,
    // Whoever is signed in has come for something else than being signed in.
    prompt: 'login',
    interaction_mode: 'resetPassword',
  }
  return `/oidc/auth?${new URLSearchParams(request)}`
}
