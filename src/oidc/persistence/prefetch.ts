import { type AdapterPayload, Provider } from 'oidc-provider'
import { requestedOrganization } from '../../domain/organisations/chosen-organization.ts'
import type { Statement } from '../../storage/batches.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { organizationModeOf } from '../access/organization.ts'
import { resolveResourceAlias } from '../access/own-apis.ts'
import type { ClientMetadataSource } from '../applications/clients.ts'
import { getProviderRequest } from '../request-context.ts'
import { emptyPrefetch, type Prefetch } from './model-reader.ts'

export type PrefetchDependencies = {
  clients: ClientMetadataSource
  /** Decrypts an interaction's cookie. Returns null if the interaction belongs to another browser. */
  readBrowserInteraction(uid: string): Promise<BrowserInteraction | null>
}

/** The content of an interaction's sealed cookie. */
export type BrowserInteraction = {
  clientId: string
  /** The requested resource and organisation, if the cookie contains the request. */
  resource: string | undefined
  organization: string | undefined
  creation: readonly Statement[]
}

/**
 * Returns a function that decides which data to prefetch with a row. The function returns null if this browser may not
 * read the row.
 */
export function createPrefetch({ clients, readBrowserInteraction }: PrefetchDependencies) {
  const prefetchInteraction = createInteractionPrefetch({ clients, readBrowserInteraction })

  return async (modelName: string, value: string): Promise<Prefetch | null> => {
    if (modelName === 'Interaction') return prefetchInteraction(value)
    if (modelName !== 'Session') return emptyPrefetch
    const { pathname, searchParams } = new URL(getProviderRequest().request.url)
    switch (Provider.ctx?.oidc.route) {
      case 'resume':
      case 'device_resume': {
        const uid = pathname.slice(pathname.lastIndexOf('/') + 1)
        const prefetch = await prefetchInteraction(uid)
        return prefetch ? { ...prefetch, rows: [{ modelName: 'Interaction', id: uid }] } : emptyPrefetch
      }
      case 'authorization':
        return prefetchAuthorization(searchParams)
      default:
        return emptyPrefetch
    }
  }

  async function prefetchAuthorization(request: URLSearchParams): Promise<Prefetch> {
    const [, pushed] = request.get('request_uri')?.split(PUSHED_REQUEST_URN) ?? []
    const { accounts } = await getProviderRequest().remembered
    const mayNeedAccounts = accounts.length > 0 && request.get('prompt') !== 'none'
    const client = await clients.find(getProviderRequest().tenantId, request.get('client_id') ?? '')
    const { requested } = requestedOrganization({
      parameter: request.get('organization') ?? undefined,
      scopes: request.get('scope')?.split(' ') ?? [],
      resources: request.getAll('resource'),
    })
    return {
      ...emptyPrefetch,
      ...(mayNeedAccounts && { rememberedUsers: accounts.map(({ userId }) => userId) }),
      rows: pushed ? [{ modelName: 'PushedAuthorizationRequest', id: await sha256Base64Url(pushed) }] : [],
      clientId: request.get('client_id') ?? undefined,
      resources: request.getAll('resource').slice(0, MAX_RESOURCES).map(resolveResourceAlias),
      thirdParty: thirdPartyId(client),
      organizations: organizationsOf(request.get('client_id') ?? '', client, requested),
    }
  }
}

/** Returns a function that decides which data to prefetch with an interaction that the browser resumes. */
export const createInteractionPrefetch =
  ({ clients, readBrowserInteraction }: PrefetchDependencies) =>
  async (uid: string): Promise<Prefetch | null> => {
    const interaction = await readBrowserInteraction(uid)
    if (!interaction) return null
    const { clientId, resource, organization, creation } = interaction
    const client = await clients.find(getProviderRequest().tenantId, clientId)
    return {
      creation,
      rows: [],
      clientId,
      resources: resource === undefined ? [] : [resource],
      thirdParty: thirdPartyId(client),
      organizations: organizationsOf(clientId, client, organization),
    }
  }

const thirdPartyId = (client: AdapterPayload | undefined): string | undefined =>
  client?.isThirdParty === true ? client.client_id : undefined

/** Returns what to read of the user's organisations. Applications that do not use them cost no query. */
const organizationsOf = (
  clientId: string,
  client: AdapterPayload | undefined,
  requested: string | undefined,
) => (organizationModeOf(clientId, client) === 'none' ? undefined : { requested, clientId })

const PUSHED_REQUEST_URN = 'urn:ietf:params:oauth:request_uri:'

/** The maximum number of resources to prefetch. Any others are read one by one. */
const MAX_RESOURCES = 20
