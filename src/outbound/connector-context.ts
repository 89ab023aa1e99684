import type { R2Bucket, SendEmail, Socket, SocketAddress, SocketOptions } from '@cloudflare/workers-types'

/** The functions and bindings through which connectors reach their providers. */
export type Network = {
  fetch: (address: string, init: RequestInit) => Promise<Response>
  connect?: ((address: SocketAddress, options: SocketOptions) => Socket) | undefined
  /** The binding of Cloudflare's email service, if configured. */
  sendEmail?: SendEmail | undefined
  /** The binding `ASSET_BUCKET`, if configured. */
  assetBucket?: R2Bucket | undefined
}

/**
 * The context that every connector receives in addition to its configuration: network access, the current time and the
 * limits of a call.
 */
export type ConnectorContext = Network & {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
  /** The time limit for a single call, in milliseconds. */
  timeout: number
  /**
   * Aborts when the time limit of the whole request is reached, even if a single call is still within its own limit.
   */
  deadline?: AbortSignal | undefined
  /** If true, connectors may call private addresses (spec/connectors#outbound-addresses). */
  allowPrivateTargets: boolean
}
