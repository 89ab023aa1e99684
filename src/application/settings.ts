import { z } from 'zod'
import { Hosts } from '../contract/hosts.schema.ts'

/** The variables and secrets of a deployment, as the platform passes them: text, or absent. */
export type EnvironmentVariables = {
  ROOT_SECRET?: string
  ROOT_SECRET_PREVIOUS?: string
  ENVIRONMENT?: string
  HOSTS?: string
  TLS_PROXY?: string
  USER_DEFAULT_ROLE_NAMES?: string
  LOG_RETENTION_DAYS?: string
  MANAGEMENT_CLIENT_SECRET?: string
  LIBSQL_URL?: string
  LIBSQL_AUTH_TOKEN?: string
}

const Secret = z.string().min(32, 'must be at least 32 characters')

/** Days, as long as a refresh token lives without use (spec/provider#token-lifetimes). */
const SHORTEST_RETENTION = 14

const Settings = z.object({
  /** The secret from which all others are derived (spec/storage#root-secret). */
  rootSecret: Secret,
  /** Opens what the previous root secret sealed; it never seals. */
  rootSecretPrevious: Secret.optional(),
  environment: z.enum(['production', 'development']).default('production'),
  /** The hosts of this deployment with their tenants. In production without them nothing is served. */
  hosts: Hosts,
  /** A proxy in front of the Worker speaks TLS, and plain http to the Worker (docs/configuration.md). */
  isBehindTlsProxy: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  /** The roles of each user who registers (spec/interaction#register-effects). */
  userDefaultRoleNames: z.array(z.string()),
  /**
   * The age at which rows of the logs are deleted; 0 keeps them for good. At least as long as a token lives: an import finds
   * in the log whether an id belonged to another user (spec/accounts#import-identity).
   */
  logRetentionDays: z.coerce
    .number()
    .int()
    .max(36_500)
    .refine(
      (days) => days === 0 || days >= SHORTEST_RETENTION,
      `must be 0, or at least ${SHORTEST_RETENTION}`,
    )
    .default(90),
  /** With it, the built-in client `management` exists (spec/provider#built-in-clients). */
  managementClientSecret: Secret.optional(),
  libsql: z.object({ url: z.url(), authToken: z.string().optional() }).optional(),
})
export type Settings = z.infer<typeof Settings>

/** Throws with the name of what is missing or wrong, never with its value. */
export function readSettings(variables: EnvironmentVariables): Settings {
  const parsed = Settings.safeParse({
    rootSecret: variables.ROOT_SECRET,
    rootSecretPrevious: variables.ROOT_SECRET_PREVIOUS || undefined,
    environment: variables.ENVIRONMENT || undefined,
    hosts: variables.HOSTS ?? '',
    isBehindTlsProxy: variables.TLS_PROXY || undefined,
    userDefaultRoleNames: distinctNames(variables.USER_DEFAULT_ROLE_NAMES ?? ''),
    logRetentionDays: variables.LOG_RETENTION_DAYS || undefined,
    managementClientSecret: variables.MANAGEMENT_CLIENT_SECRET || undefined,
    libsql: variables.LIBSQL_URL
      ? { url: variables.LIBSQL_URL, authToken: variables.LIBSQL_AUTH_TOKEN }
      : undefined,
  })
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`The configuration is incomplete. ${wrong.join('; ')}. See "Configuration" in the README.`)
}

function distinctNames(list: string): string[] {
  const names = list.split(',').map((name) => name.trim())
  return [...new Set(names.filter(Boolean))]
}
