import { DEMO_APP_ID } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { type AccountLink, isReturnUrl } from '../../domain/account/account-link.ts'
import { getDemoApp } from '../applications/find.ts'
import type { Dependencies } from '../dependencies.ts'

const PARAMETERS = ['client_id', 'redirect_uri', 'state'] as const
/**
 * The maximum length of the link, in characters. While the user signs in, the link is stored in a sealed cookie, which
 * can hold at most 4 kB.
 */
const MAX_LENGTH = 2048
/**
 * The maximum length of an application id. Longer ids are not looked up, because the cache would store each miss
 * (spec/limits#ids).
 */
const MAX_ID_LENGTH = 21

/**
 * Returns the application link with which a page was opened, or null if there is none. The link is parsed from the URL
 * of every request, so that nothing has to be stored. Throws if the redirect URI does not belong to an application of
 * this tenant.
 */
export async function readAccountLink(
  dependencies: Pick<Dependencies, 'applications'>,
  tenantId: string,
  { origin, searchParams }: URL,
): Promise<AccountLink | null> {
  if (!searchParams.has('client_id') && !searchParams.has('redirect_uri')) return null
  const [id, redirectUri, state = null] = PARAMETERS.map((name) => searchParams.get(name) ?? undefined)
  const parameters = new URLSearchParams(
    PARAMETERS.flatMap((name) => searchParams.getAll(name).map((value): [string, string] => [name, value])),
  )
  const isRepeated = PARAMETERS.some((name) => searchParams.getAll(name).length > 1)
  const search = `?${parameters}`
  if (!id || !redirectUri || isRepeated || search.length > MAX_LENGTH || id.length > MAX_ID_LENGTH)
    return refuseLink()

  const application =
    id === DEMO_APP_ID
      ? getDemoApp(tenantId, origin)
      : await dependencies.applications.get(JSON.stringify([tenantId, id]))
  if (!application || !isReturnUrl(application, redirectUri)) return refuseLink()
  const { name, customClientMetadata } = application
  const isThirdParty = 'isThirdParty' in customClientMetadata && customClientMetadata.isThirdParty === true
  return { application: name, redirectUri, state, isThirdParty, search }
}

/** All invalid links get the same error. Otherwise anyone could find out which applications exist. */
const refuseLink = (): never => refuseWith('oidc.invalid_redirect_uri')
