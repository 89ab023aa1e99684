import { DEMO_APP_ID } from '../../contract/product.ts'
import type { Dependencies } from '../dependencies.ts'

/** Who can begin a sign-in anew: an application of this tenant, where it is known. */
type NewSignIn = { tenantId: string; origin: string; clientId: string | undefined }

/**
 * Where a user whose sign-in cannot go on begins a new one: with the application, else where the tenant sends users without an
 * interaction (spec/pages#new-sign-in). Both addresses are settings; nothing of a request leads to another one.
 */
export async function newSignInUrl(
  dependencies: Pick<Dependencies, 'applications' | 'tenantSettings'>,
  search: NewSignIn,
): Promise<string | null> {
  const [ofApplication, { sessionNotFoundRedirectUrl }] = await Promise.all([
    initiateLoginUrl(dependencies, search),
    dependencies.tenantSettings.get(search.tenantId),
  ])
  return ofApplication ?? sessionNotFoundRedirectUrl
}

/** Where the application is asked to begin (`initiate_login_uri`, OIDC Core §4). Null for one that has no such address. */
export async function initiateLoginUrl(
  { applications }: Pick<Dependencies, 'applications'>,
  { tenantId, origin, clientId }: NewSignIn,
): Promise<string | null> {
  // The demonstration application has no row (spec/provider#built-in-clients).
  if (clientId === undefined || clientId === DEMO_APP_ID) return null
  const application = await applications.get(JSON.stringify([tenantId, clientId]))
  const initiate = application?.customClientMetadata.initiateLoginUri
  if (!initiate) return null
  const address = new URL(initiate)
  address.searchParams.set('iss', `${origin}/oidc`)
  return address.href
}
