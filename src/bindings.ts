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
 * The bindings and secrets that `wrangler.toml` and `wrangler secret put` provide to the Worker. Only `worker.ts`
 * reads them.
 */
export type Bindings = EnvironmentVariables & {
  DB: D1Database
  INTERACTIONS: KVNamespace
  ASSETS: Fetcher
  /** The email binding for the connector `cloudflare-send-email`. */
  SEND_EMAIL?: SendEmail
  /** The R2 bucket for uploads (spec/connectors#uploads). */
  ASSET_BUCKET?: R2Bucket | undefined
  /** The rate limiters that protect against request floods (spec/limits#flood-limits). */
  AUTHORIZATION_RATE_LIMIT?: RateLimit | undefined
  PUSHED_REQUEST_RATE_LIMIT?: RateLimit | undefined
  TOKEN_RATE_LIMIT?: RateLimit | undefined
  ACCOUNT_RATE_LIMIT?: RateLimit | undefined
}
