import { Provider } from 'oidc-provider'
import type { Statement } from '../../storage/batches.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { withoutAlias } from '../access/own-apis.ts'
import type { ClientMetadataSource } from '../applications/clients.ts'
import { providerRequest } from '../request-context.ts'
import { type ForeseenReads, nothingForeseen } from './model-reader.ts'

export type ForeseenParts = {
  clients: ClientMetadataSource
  /** Null in another browser than that of the interaction. */
  interactionOfBrowser(uid: string): Promise<BrowserInteraction | null>
}

/** What the sealed cookie of an interaction says about it. */
export type BrowserInteraction = {
  clientId: string
  /** Where the cookie knows its request. */
  resource: string | undefined
  creation: readonly Statement[]
}

/** Null where the row may not be read by this browser. */
export function foreseenReads({ clients, interactionOfBrowser }: ForeseenParts) {
  return async (modelName: string, value: string): Promise<ForeseenReads | null> => {
    if (modelName === 'Interaction') return ofInteraction(value)
    if (modelName !== 'Session') return nothingForeseen
    const { pathname, searchParams } = new URL(providerRequest().request.url)
    switch (Provider.ctx?.oidc.route) {
      case 'resume':
      case 'device_resume': {
        const uid = pathname.slice(pathname.lastIndexOf('/') + 1)
        const foreseen = await ofInteraction(uid)
        return foreseen ? { ...foreseen, rows: [{ modelName: 'Interaction', id: uid }] } : nothingForeseen
      }
      case 'authorization':
        return ofAddress(searchParams)
      default:
        return nothingForeseen
    }
  }

  async function ofInteraction(uid: string): Promise<ForeseenReads | null> {
    const known = await interactionOfBrowser(uid)
    if (!known) return null
    const { clientId, resource, creation } = known
    return {
      creation,
      rows: [],
      clientId,
      resources: resource === undefined ? [] : [resource],
      thirdParty: await thirdParty(clientId),
    }
  }

  async function ofAddress(request: URLSearchParams): Promise<ForeseenReads> {
    const [, pushed] = request.get('request_uri')?.split(PUSHED_REQUEST_URN) ?? []
    return {
      ...nothingForeseen,
      rows: pushed ? [{ modelName: 'PushedAuthorizationRequest', id: await sha256Base64Url(pushed) }] : [],
      clientId: request.get('client_id') ?? undefined,
      resources: request.getAll('resource').slice(0, MOST_RESOURCES).map(withoutAlias),
      thirdParty: await thirdParty(request.get('client_id') ?? ''),
    }
  }

  async function thirdParty(clientId: string): Promise<string | undefined> {
    const client = await clients.find(providerRequest().tenantId, clientId)
    return client?.isThirdParty === true ? clientId : undefined
  }
}

export const PUSHED_REQUEST_URN = 'urn:ietf:params:oauth:request_uri:'

/** More are read one by one. */
const MOST_RESOURCES = 20
