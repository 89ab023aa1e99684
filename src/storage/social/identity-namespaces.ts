import { sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { connectors, identityNamespaces, userIdentities } from '../tables.ts'

/** Records which provider issued the identities stored under a target (spec/connectors#identity-namespaces). */
export type TargetNamespace = {
  target: string
  namespace: string
  /** The namespace of the connector's stored configuration, for a target without a recorded namespace. */
  before?: string | null
}

/** Checks that no identities are linked under the target, or that the same provider issued them. */
export const isNamespaceOf = (tenantId: string, { target, namespace, before }: TargetNamespace): Condition =>
  sql`(coalesce((
      select stored.namespace from ${identityNamespaces} as stored
      where stored.tenant_id = ${tenantId} and stored.target = ${target}
    ), ${before ?? namespace}) = ${namespace} or not exists (
      select 1 from ${userIdentities} as linked where linked.tenant_id = ${tenantId} and linked.target = ${target}
    ))`

/**
 * Checks that no connector of these factories has the target, so that only one of two concurrent creations succeeds.
 */
export const isTargetFree = (
  tenantId: string,
  { target, rivals }: { target: string; rivals: readonly { id: string; target: string }[] },
): Condition => {
  const factories = JSON.stringify(Object.fromEntries(rivals.map((factory) => [factory.id, factory.target])))
  return sql`not exists (
    select 1 from ${connectors} as rival join json_each(${factories}) as factory on factory.key = rival.connector_id
    where rival.tenant_id = ${tenantId}
      and coalesce(json_extract(rival.metadata, '$.target'), factory.value) = ${target}
  )`
}

/** Records the namespace of a target. It runs before the connector is written and has the same condition. */
export const setNamespace = (
  db: Database,
  tenantId: string,
  { target, namespace }: TargetNamespace,
  condition: Condition,
) =>
  db.run(sql`insert into ${identityNamespaces} (tenant_id, target, namespace)
    select ${tenantId}, ${target}, ${namespace} where ${condition}
    on conflict (tenant_id, target) do update set namespace = excluded.namespace`)

/**
 * Records the namespace of a connector that is being deleted, in case the connector was created before namespaces were
 * recorded.
 */
export const recordMissingNamespace = (
  db: Database,
  tenantId: string,
  { target, namespace }: TargetNamespace,
  condition: Condition,
) =>
  db.run(sql`insert into ${identityNamespaces} (tenant_id, target, namespace)
    select ${tenantId}, ${target}, ${namespace} where ${condition} on conflict do nothing`)
