import type { D1Database, Fetcher, KVNamespace, R2Bucket, SendEmail } from '@cloudflare/workers-types'
import { z } from 'zod'
import type { Deliveries } from './application/outbox-deliveries.ts'
import type { Network } from './connectors/message.ts'
import type { Experience } from './contract/experience.ts'
import { Hosts } from './contract/hosts.schema.ts'
import type { TenantSettings } from './contract/settings.ts'
import type { SigningKeyCache } from './oidc/keys.ts'
import type { Application } from './storage/applications.ts'
import type { Cache } from './storage/cache.ts'
import type { InstalledSocial } from './storage/connectors.ts'
import type { Database } from './storage/database.ts'
import type { InteractionStore } from './storage/interactions.ts'
import type { PhraseBook } from './storage/phrase-book.ts'
import type { Seals } from './storage/seal.ts'
import type { TenantDirectory } from './storage/tenants.ts'

/** What `wrangler.toml` and `wrangler secret put` give us. */
export type Env = {
  DB: D1Database
  INTERACTIONS: KVNamespace
  ASSETS: Fetcher
  ROOT_SECRET?: string
  ROOT_SECRET_PREVIOUS?: string
  ENVIRONMENT?: string
  HOSTS?: string
  USER_DEFAULT_ROLE_NAMES?: string
  LOG_RETENTION_DAYS?: string
  MANAGEMENT_CLIENT_SECRET?: string
  LIBSQL_URL?: string
  LIBSQL_AUTH_TOKEN?: string
  /** For the connector `cloudflare-send-email`. */
  SEND_EMAIL?: SendEmail
  /** For uploads to R2 (decision record 0015). */
  ASSET_BUCKET?: R2Bucket | undefined
}

const Secret = z.string().min(32, 'must be at least 32 characters')

const Settings = z.object({
  /** Everything secret is derived from it (design 4). */
  rootSecret: Secret,
  /** Opens what the root secret before this one sealed; never seals (decision 26). */
  rootSecretPrevious: Secret.optional(),
  environment: z.enum(['production', 'development']).default('production'),
  /** Hosts this deployment answers at, and whose they are; none configured means every host that leads here. */
  hosts: Hosts,
  /** Roles of everybody who registers (contract 2.7). */
  userDefaultRoleNames: z.array(z.string()),
  /**
   * How old an audit row may become; none are deleted where it is not said. At least as long as a token lives: the log
   * knows whose id was somebody else's before (decision record 0052).
   */
  logRetentionDays: z.coerce.number().int().min(14).max(36_500).optional(),
  /** With it, the built-in client `management` exists (decision 44). */
  managementClientSecret: Secret.optional(),
  libsql: z.object({ url: z.url(), authToken: z.string().optional() }).optional(),
})
export type Settings = z.infer<typeof Settings>

/** Throws with the name of what is missing or wrong, never with its value. */
export function readSettings(env: Env): Settings {
  const parsed = Settings.safeParse({
    rootSecret: env.ROOT_SECRET,
    rootSecretPrevious: env.ROOT_SECRET_PREVIOUS || undefined,
    environment: env.ENVIRONMENT || undefined,
    hosts: env.HOSTS ?? '',
    userDefaultRoleNames: [
      ...new Set(
        (env.USER_DEFAULT_ROLE_NAMES ?? '')
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      ),
    ],
    logRetentionDays: env.LOG_RETENTION_DAYS || undefined,
    managementClientSecret: env.MANAGEMENT_CLIENT_SECRET || undefined,
    libsql: env.LIBSQL_URL ? { url: env.LIBSQL_URL, authToken: env.LIBSQL_AUTH_TOKEN } : undefined,
  })
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`The configuration is incomplete. ${wrong.join('; ')}. See "Configuration" in the README.`)
}

/** What the rooms share, made once per isolate in `worker.ts`. */
export type Services = {
  settings: Settings
  db: Database
  tenants: TenantDirectory
  seals: Seals
  interactions: InteractionStore
  /** By tenant. */
  experience: Cache<Experience>
  /** By tenant: what one can sign in with besides. */
  social: Cache<readonly InstalledSocial[]>
  /** By tenant (decision 31). */
  tenantSettings: Cache<TenantSettings>
  phrases: PhraseBook
  /** By `JSON.stringify([tenantId, id])`. */
  applications: Cache<Application | null>
  /** By tenant. */
  signingKeys: SigningKeyCache
  deliveries: Deliveries
  /** How connectors reach the world. */
  network: Network
  /** Epoch milliseconds. */
  now(): number
}

/** What the first middleware finds out about every request. */
export type AppVariables = {
  /** Whose host it is. Only an error is answered where it is nobody's, and this is not set. */
  tenantId: string
  requestId: string
  ip: string | undefined
  /** The keys of the audit rows this call has brought about, for the line it leaves in the log. */
  audited?: readonly string[]
}
