import type { R2Bucket, SendEmail, Socket, SocketAddress, SocketOptions } from '@cloudflare/workers-types'

/** The functions and bindings with which connectors reach their providers. */
export type Network = {
  fetch: (address: string, init: RequestInit) => Promise<Response>
  connect?: ((address: SocketAddress, options: SocketOptions) => Socket) | undefined
  /** The binding of Cloudflare's mail service, if there is one. */
  sendEmail?: SendEmail | undefined
  /** The binding `ASSET_BUCKET`, if there is one. */
  assetBucket?: R2Bucket | undefined
}

/**
 * The context that every connector receives besides its configuration: the network, the time and the limits of a call.
 */
export type ConnectorContext = Network & {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
  /** How long one call may take, in milliseconds. */
  timeout: number
  /** Aborts at the common deadline of all calls of one request, however long a single call may take. */
  deadline?: AbortSignal | undefined
  /** Whether connectors may call private addresses (spec/connectors#outbound-addresses). */
  allowPrivateTargets: boolean
}
