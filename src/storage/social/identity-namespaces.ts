import { sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { connectors, identityNamespaces, userIdentities } from '../tables.ts'

/** Records which provider issued the identities stored under a target (spec/connectors#identity-namespaces). */
export type TargetNamespace = {
  target: string
  namespace: string
  /** The namespace of the connector's stored configuration. It applies if no namespace is recorded for the target. */
  before?: string | null
}

/** Checks that the target has no linked identities, or that they were issued by the same provider. */
export const isNamespaceOf = (tenantId: string, { target, namespace, before }: TargetNamespace): Condition =>
  sql`(coalesce((
      select stored.namespace from ${identityNamespaces} as stored
      where stored.tenant_id = ${tenantId} and stored.target = ${target}
    ), ${before ?? namespace}) = ${namespace} or not exists (
      select 1 from ${userIdentities} as linked where linked.tenant_id = ${tenantId} and linked.target = ${target}
    ))`

/**
 * Checks that no connector of these factories has the target. If two connectors are created concurrently, only one of
 * them succeeds.
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

/** Records the namespace of a target. The statement runs before the connector is written and has the same condition. */
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
 * Records the namespace of a connector that is being deleted, because the connector may have been created before
 * namespaces were recorded.
 */
export const recordMissingNamespace = (
  db: Database,
  tenantId: string,
  { target, namespace }: TargetNamespace,
  condition: Condition,
) =>
  db.run(sql`insert into ${identityNamespaces} (tenant_id, target, namespace)
    select ${tenantId}, ${target}, ${namespace} where ${condition} on conflict do nothing`)
