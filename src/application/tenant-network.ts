import type { Network } from '../connectors/message.ts'
import { DEFAULT_TENANT } from '../contract/product.ts'
import type { Dependencies } from './dependencies.ts'

/**
 * How a tenant's connectors reach the world. The bindings of the deployment, its mail and its bucket, are the operator's own: a
 * tenant that somebody has made for themselves brings providers of its own.
 */
export function networkOf({ network }: Pick<Dependencies, 'network'>, tenantId: string): Network {
  return tenantId === DEFAULT_TENANT ? network : { ...network, sendEmail: undefined, assetBucket: undefined }
}
