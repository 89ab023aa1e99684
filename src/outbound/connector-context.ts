import type { R2Bucket, SendEmail, Socket, SocketAddress, SocketOptions } from '@cloudflare/workers-types'

/** How a connector reaches its provider. */
export type Network = {
  fetch: (address: string, init: RequestInit) => Promise<Response>
  connect?: ((address: SocketAddress, options: SocketOptions) => Socket) | undefined
  /** The binding of Cloudflare's mail service, where there is one. */
  sendEmail?: SendEmail | undefined
  /** The binding `ASSET_BUCKET`, where there is one. */
  assetBucket?: R2Bucket | undefined
}

/** What every connector is called with, besides its configuration: the network, the time and the limits of a call. */
export type ConnectorContext = Network & {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds that one call may take. */
  timeout: number
  /** When all calls of one request have to be over, however long each of them may take. */
  deadline?: AbortSignal | undefined
  /** spec/connectors#outbound-addresses */
  allowPrivateTargets: boolean
}
