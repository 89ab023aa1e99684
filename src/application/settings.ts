import { consolesWithoutTenantHost, type HostTable, parseHosts } from '../contract/tenants/hosts.ts'
import type { HostContext } from '../domain/tenants/hosts.ts'

/** A deployment's variables and secrets as the platform passes them in: strings, or undefined if unset. */
export type EnvironmentVariables = {
  ROOT_SECRET?: string
  ROOT_SECRET_PREVIOUS?: string
  ENVIRONMENT?: string
  HOSTS?: string
  LOCAL_DOMAIN?: string
  TLS_PROXY?: string
  USER_DEFAULT_ROLE_NAMES?: string
  LOG_RETENTION_DAYS?: string
  MANAGEMENT_CLIENT_SECRET?: string
  LIBSQL_URL?: string
  LIBSQL_AUTH_TOKEN?: string
  BREACHED_PASSWORDS_URL?: string
  DNS_RESOLVER_URLS?: string
}

export type Settings = {
  /** The secret from which all other secrets are derived (spec/storage#root-secret). */
  rootSecret: string
  /** The previous root secret. It still decrypts what was sealed with it, but seals nothing new. */
  rootSecretPrevious?: string | undefined
  environment: 'production' | 'development'
  /** The hosts at which tenants are served. In production, nothing is served unless hosts are configured. */
  hosting: HostContext
  /** True if a TLS-terminating proxy forwards plain HTTP to the Worker (docs/operations/configuration.md). */
  isBehindTlsProxy: boolean
  /** The names of the roles that every user gets at registration (spec/interaction#register-effects). */
  userDefaultRoleNames: string[]
  /**
   * The age in days at which log rows are deleted; 0 keeps them forever. It must be at least the lifetime of a token,
   * because an import searches the log for deleted users with the same id (spec/accounts#import-identity).
   */
  logRetentionDays: number
  /**
   * The secret of the built-in client `management`, which exists only if this is set (spec/provider#built-in-clients).
   */
  managementClientSecret?: string | undefined
  libsql?: { url: string; authToken?: string | undefined } | undefined
  /**
   * The URL from which ranges of breached passwords are fetched, with a trailing slash, or null to disable the check
   * (spec/accounts#compromised-passwords).
   */
  breachedPasswordsUrl: string | null
  /** The two resolvers that have to agree about the record of a domain (spec/organisations#proof). */
  dnsResolvers: readonly [string, string]
}

const MIN_SECRET_LENGTH = 32
/** The number of days after which an unused refresh token expires (spec/provider#token-lifetimes). */
export const DEFAULT_RETENTION_DAYS = 90
export const MIN_RETENTION_DAYS = 14
const MAX_RETENTION_DAYS = 36_500

/** The range endpoint of Have I Been Pwned. */
const BREACHED_PASSWORDS_URL = 'https://api.pwnedpasswords.com/range/'

/** The resolvers of Cloudflare and Google, which answer in JSON. */
const DNS_RESOLVERS = ['https://cloudflare-dns.com/dns-query', 'https://dns.google/resolve'] as const

/**
 * Parses the settings. Throws an error that names missing and invalid settings but never shows their values. It does
 * not use a schema, because the schema library would make up a third of the code that the Worker loads at startup
 * (ADR-0067).
 */
export function readSettings(variables: EnvironmentVariables): Settings {
  const { hosts, problems } = parseHosts(variables.HOSTS ?? '')
  const environment = variables.ENVIRONMENT || 'production'
  const tlsProxy = variables.TLS_PROXY || 'false'
  const days = Number(variables.LOG_RETENTION_DAYS || DEFAULT_RETENTION_DAYS)
  const isRetention =
    Number.isInteger(days) && (days === 0 || (days >= MIN_RETENTION_DAYS && days <= MAX_RETENTION_DAYS))
  const invalid = [
    ...secretProblem('rootSecret', variables.ROOT_SECRET ?? ''),
    ...secretProblem('rootSecretPrevious', variables.ROOT_SECRET_PREVIOUS || undefined),
    ...(isEnvironment(environment) ? [] : ['environment: must be production or development']),
    ...problems.map((problem) => `hosts: ${problem}`),
    ...consolesWithoutHost(hosts, environment),
    ...(/^(?:true|false)$/.test(tlsProxy) ? [] : ['isBehindTlsProxy: must be true or false']),
    ...(isRetention
      ? []
      : [`logRetentionDays: must be 0, or from ${MIN_RETENTION_DAYS} to ${MAX_RETENTION_DAYS} days`]),
    ...secretProblem('managementClientSecret', variables.MANAGEMENT_CLIENT_SECRET || undefined),
    ...(isRangeAddress(variables.BREACHED_PASSWORDS_URL)
      ? []
      : ['breachedPasswordsUrl: must be off, or an address that ends with a slash']),
    ...(parseResolvers(variables.DNS_RESOLVER_URLS)
      ? []
      : ['dnsResolvers: must be two different addresses with a space between them']),
    ...(variables.LIBSQL_URL && !URL.canParse(variables.LIBSQL_URL) ? ['libsql.url: is not an address'] : []),
  ]
  if (invalid.length > 0 || !isEnvironment(environment))
    throw new Error(
      `The configuration is incomplete. ${invalid.join('; ')}. See docs/operations/configuration.md.`,
    )
  return {
    rootSecret: variables.ROOT_SECRET ?? '',
    rootSecretPrevious: variables.ROOT_SECRET_PREVIOUS || undefined,
    environment,
    hosting: {
      hosts,
      isDevelopment: environment === 'development',
      localDomain: variables.LOCAL_DOMAIN || undefined,
    },
    isBehindTlsProxy: tlsProxy === 'true',
    userDefaultRoleNames: distinctNames(variables.USER_DEFAULT_ROLE_NAMES ?? ''),
    logRetentionDays: days,
    managementClientSecret: variables.MANAGEMENT_CLIENT_SECRET || undefined,
    libsql: variables.LIBSQL_URL
      ? { url: variables.LIBSQL_URL, authToken: variables.LIBSQL_AUTH_TOKEN }
      : undefined,
    breachedPasswordsUrl: rangeAddress(variables.BREACHED_PASSWORDS_URL, environment),
    dnsResolvers: parseResolvers(variables.DNS_RESOLVER_URLS) ?? DNS_RESOLVERS,
  }
}

/** Returns a problem for each console whose tenant has no host. In development, every tenant has a host. */
const consolesWithoutHost = (hosts: HostTable, environment: string): string[] =>
  environment === 'development'
    ? []
    : consolesWithoutTenantHost(hosts).map(
        (host) => `hosts: ${host} is for the console of a tenant without a host`,
      )

/**
 * By default, a development server does not check passwords for breaches: it may be offline, and its passwords are made
 * up.
 */
function rangeAddress(value: string | undefined, environment: Settings['environment']): string | null {
  if (value === 'off') return null
  return value || (environment === 'production' ? BREACHED_PASSWORDS_URL : null)
}

function parseResolvers(value: string | undefined): readonly [string, string] | null {
  const [first, second, ...others] = value?.trim() ? value.trim().split(/\s+/) : DNS_RESOLVERS
  if (first === undefined || second === undefined || others.length > 0 || first === second) return null
  return [first, second].every((url) => /^https?:/.test(url) && URL.canParse(url)) ? [first, second] : null
}

const isRangeAddress = (value: string | undefined) =>
  !value || value === 'off' || (/^https?:/.test(value) && value.endsWith('/') && URL.canParse(value))

function secretProblem(name: string, secret: string | undefined): string[] {
  const isShort = secret !== undefined && secret.length < MIN_SECRET_LENGTH
  return isShort ? [`${name}: must be at least ${MIN_SECRET_LENGTH} characters`] : []
}

const isEnvironment = (value: string): value is Settings['environment'] =>
  value === 'production' || value === 'development'

function distinctNames(list: string): string[] {
  const names = list.split(',').map((name) => name.trim())
  return [...new Set(names.filter(Boolean))]
}
