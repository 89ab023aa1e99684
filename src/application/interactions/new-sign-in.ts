import { DEMO_APP_ID } from '../../contract/product.ts'
import type { Dependencies } from '../dependencies.ts'

/** The tenant and origin of a request, and the id of the application at which a new sign-in can begin, if known. */
type NewSignIn = { tenantId: string; origin: string; clientId: string | undefined }

/**
 * Returns the URL at which users start over if their sign-in cannot continue: the application's, or else the one to
 * which the tenant redirects users without an interaction (spec/pages#new-sign-in). Both are settings, so requests
 * cannot turn this into an open redirect.
 */
export async function findNewSignInUrl(
  dependencies: Pick<Dependencies, 'applications' | 'tenantSettings'>,
  search: NewSignIn,
): Promise<string | null> {
  const [ofApplication, { sessionNotFoundRedirectUrl }] = await Promise.all([
    findInitiateLoginUrl(dependencies, search),
    dependencies.tenantSettings.get(search.tenantId),
  ])
  return ofApplication ?? sessionNotFoundRedirectUrl
}

/**
 * Returns the URL at which an application begins a sign-in (`initiate_login_uri`, OIDC Core §4), or null if it has
 * none.
 */
export async function findInitiateLoginUrl(
  { applications }: Pick<Dependencies, 'applications'>,
  { tenantId, origin, clientId }: NewSignIn,
): Promise<string | null> {
  // The demo application has no row (spec/provider#built-in-clients).
  if (clientId === undefined || clientId === DEMO_APP_ID) return null
  const application = await applications.get(JSON.stringify([tenantId, clientId]))
  const initiate = application?.customClientMetadata.initiateLoginUri
  if (!initiate) return null
  const address = new URL(initiate)
  address.searchParams.set('iss', `${origin}/oidc`)
  return address.href
}
