/** Which tenant answers at which host, from `HOSTS` (ADR-0020). */
export type HostTable = {
  /** Tenants by host; the host includes a port other than the default one. */
  byHost: ReadonlyMap<string, string>
  /** A tenant answers at `{tenant id}.{base}`. */
  bases: readonly string[]
}

/** A label of a host (RFC 1123 §2.1) of at most the length of an id (spec/limits#ids). */
export const TENANT_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,19}[a-z0-9])?$/
