import type {
  D1Database,
  Fetcher,
  KVNamespace,
  R2Bucket,
  RateLimit,
  SendEmail,
} from '@cloudflare/workers-types'
import type { EnvironmentVariables } from './application/settings.ts'

/** What `wrangler.toml` and `wrangler secret put` give the Worker. Only `worker.ts` sees it. */
export type Bindings = EnvironmentVariables & {
  DB: D1Database
  INTERACTIONS: KVNamespace
  ASSETS: Fetcher
  /** Used by the connector `cloudflare-send-email`. */
  SEND_EMAIL?: SendEmail
  /** Used for uploads to R2 (spec/connectors#uploads). */
  ASSET_BUCKET?: R2Bucket | undefined
  /** Protects against floods of requests (spec/limits#flood-limits). */
  AUTHORIZATION_RATE_LIMIT?: RateLimit | undefined
  PUSHED_REQUEST_RATE_LIMIT?: RateLimit | undefined
  TOKEN_RATE_LIMIT?: RateLimit | undefined
  ACCOUNT_RATE_LIMIT?: RateLimit | undefined
}
