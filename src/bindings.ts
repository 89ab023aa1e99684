import type {
  D1Database,
  Fetcher,
  KVNamespace,
  R2Bucket,
  RateLimit,
  SendEmail,
} from '@cloudflare/workers-types'
import type { EnvironmentVariables } from './application/settings.ts'

/**
 * The bindings and secrets that `wrangler.toml` and `wrangler secret put` provide to the Worker. Only `worker.ts` reads
 * them.
 */
export type Bindings = EnvironmentVariables & {
  DB: D1Database
  INTERACTIONS: KVNamespace
  ASSETS: Fetcher
  /** The binding that the connector `cloudflare-send-email` uses. */
  SEND_EMAIL?: SendEmail
  /** The bucket for uploads to R2 (spec/connectors#uploads). */
  ASSET_BUCKET?: R2Bucket | undefined
  /** The rate limits against floods of requests (spec/limits#flood-limits). */
  AUTHORIZATION_RATE_LIMIT?: RateLimit | undefined
  PUSHED_REQUEST_RATE_LIMIT?: RateLimit | undefined
  TOKEN_RATE_LIMIT?: RateLimit | undefined
  ACCOUNT_RATE_LIMIT?: RateLimit | undefined
}
