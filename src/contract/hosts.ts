/** Which tenant answers at which host, as `HOSTS` says it (decision record 0020). */
export type HostTable = {
  /** Tenants by host, with its port where it is not the usual one. */
  byHost: ReadonlyMap<string, string>
  /** At `{tenant}.{base}` that tenant answers. */
  bases: readonly string[]
}

/** What can be the first label of a host (RFC 1123), and is no longer than an id may be (spec 3). */
export const TENANT_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,19}[a-z0-9])?$/
