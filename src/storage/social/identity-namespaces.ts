import { sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { connectors, identityNamespaces, userIdentities } from '../tables.ts'

/** The provider whose identities are under a target (spec/connectors#identity-namespaces). */
export type TargetNamespace = {
  target: string
  namespace: string
  /** That of the stored configuration, for a target of which nothing was noted yet. */
  before?: string | null
}

/** Nothing is linked under the target, or it was linked by the same provider. */
export const isNamespaceOf = (tenantId: string, { target, namespace, before }: TargetNamespace): Condition =>
  sql`(coalesce((
      select noted.namespace from ${identityNamespaces} as noted
      where noted.tenant_id = ${tenantId} and noted.target = ${target}
    ), ${before ?? namespace}) = ${namespace} or not exists (
      select 1 from ${userIdentities} as linked where linked.tenant_id = ${tenantId} and linked.target = ${target}
    ))`

/** No connector of these factories has the target: of two creations at once the database refuses one. */
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

/** Named before the connector is written, whose condition it has. */
export const noteNamespace = (
  db: Database,
  tenantId: string,
  { target, namespace }: TargetNamespace,
  condition: Condition,
) =>
  db.run(sql`insert into ${identityNamespaces} (tenant_id, target, namespace)
    select ${tenantId}, ${target}, ${namespace} where ${condition}
    on conflict (tenant_id, target) do update set namespace = excluded.namespace`)

/** Of a connector that goes, and that may be older than these notes. */
export const keepNamespace = (
  db: Database,
  tenantId: string,
  { target, namespace }: TargetNamespace,
  condition: Condition,
) =>
  db.run(sql`insert into ${identityNamespaces} (tenant_id, target, namespace)
    select ${tenantId}, ${target}, ${namespace} where ${condition} on conflict do nothing`)
