import { type HostTable, TENANT_LABEL } from '../contract/hosts.ts'
import { DEFAULT_TENANT } from '../contract/product.ts'

/** Which tenant a host names, and the origin of a tenant (spec/storage#tenant-hosts, ADR-0020). */

type Circumstances = { hosts: HostTable; isDevelopment: boolean }

const LOCALHOST = 'localhost'
const LOOPBACK = new Set([LOCALHOST, '127.0.0.1', '[::1]'])

/** Null when the host names no tenant. Whether a tenant of that name exists is not checked here. */
export function tenantNamedBy(
  { host, hostname }: Pick<URL, 'host' | 'hostname'>,
  { hosts: { byHost, bases }, isDevelopment }: Circumstances,
): string | null {
  const given = byHost.get(host)
  if (given !== undefined) return given
  if (isDevelopment && LOOPBACK.has(hostname)) return DEFAULT_TENANT
  if (isDevelopment && isBelow(LOCALHOST, hostname)) return labelBefore(LOCALHOST, hostname)

  const base = bases.find((candidate) => isBelow(candidate, host))
  if (base !== undefined) return labelBefore(base, host)
  // Nothing is configured: every host that leads here is that of the default tenant (docs/tenants.md).
  return byHost.size === 0 && bases.length === 0 ? DEFAULT_TENANT : null
}

/** The origin of a tenant, derived from an address of this deployment; null when no host leads to it. */
export function originOf(
  tenantId: string,
  { protocol, host, port }: Pick<URL, 'protocol' | 'host' | 'port'>,
  { hosts, isDevelopment }: Circumstances,
): string | null {
  const candidates = [
    host,
    ...(isDevelopment ? [`${tenantId}.${LOCALHOST}${port ? `:${port}` : ''}`] : []),
    ...hosts.byHost.keys(),
    ...hosts.bases.map((base) => `${tenantId}.${base}`),
  ]
  const named = (candidate: string) =>
    tenantNamedBy({ host: candidate, hostname: candidate.replace(/:\d+$/, '') }, { hosts, isDevelopment })
  const found = candidates.find((candidate) => named(candidate) === tenantId)
  return found === undefined ? null : `${protocol}//${found}`
}

/** One label: certificates for `*.base` cover no more (RFC 6125 §6.4.3). */
function labelBefore(base: string, host: string): string | null {
  const label = host.slice(0, -base.length - 1)
  return TENANT_LABEL.test(label) ? label : null
}

const isBelow = (base: string, host: string) => host.endsWith(`.${base}`)
