import { DEFAULT_TENANT } from '../contract/product.ts'
import type { Network } from '../outbound/connector-context.ts'
import type { Dependencies } from './dependencies.ts'

/**
 * How a tenant's connectors reach their providers. The mail and bucket bindings of the deployment belong to its operator,
 * so only the default tenant uses them.
 */
export function tenantNetwork({ network }: Pick<Dependencies, 'network'>, tenantId: string): Network {
  return tenantId === DEFAULT_TENANT ? network : { ...network, sendEmail: undefined, assetBucket: undefined }
}
