import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { ConsentRequest } from '../domain/consent.ts'
import type { Condition } from './conditions.ts'
import type { Database } from './database.ts'
import { payloadAt, usersModels, valueIn } from './oidc-models.ts'
import { applications, consents, oidcModelInstances as models, resources, scopes, users } from './tables.ts'

/** What users have granted to applications of third parties (spec/storage#consents). */

export type ConsentKey = { tenantId: string; userId: string; applicationId: string }

/** The user may be that of a row that the same batch reads. */
type ConsentLookup = Omit<ConsentKey, 'userId'> & { userId: string | SQL }

const hasKey = ({ tenantId, userId, applicationId }: ConsentLookup) =>
  and(eq(consents.tenantId, tenantId), eq(consents.userId, userId), eq(consents.applicationId, applicationId))

export const consentQuery = (db: Database, key: ConsentLookup) =>
  db.select({ resource: consents.resource, scope: consents.scope }).from(consents).where(hasKey(key))

/** The user has granted the application something, and has not withdrawn it. */
export const isConsented = (key: ConsentKey): Condition =>
  sql`exists (select 1 from ${consents} where ${hasKey(key)})`

/**
 * Takes back all that was granted: the consents, and everything the provider has issued to the application for the user.
 * `consents` is named last, because the others read it; it answers rows if there was something to take back.
 */
export const consentWithdrawal = (db: Database, key: ConsentKey) => ({
  issued: db
    .delete(models)
    .where(
      and(
        eq(models.tenantId, key.tenantId),
        eq(models.accountId, key.userId),
        inArray(models.modelName, usersModels),
        eq(models.clientId, key.applicationId),
        isConsented(key),
      ),
    ),
  consents: db.delete(consents).where(hasKey(key)).returning({ scope: consents.scope }),
})

/**
 * For the batch that has written a grant from consents which were read before: a withdrawal in between takes it along,
 * and what is issued under it is worth nothing.
 */
export const deleteWithdrawnGrant = (db: Database, key: ConsentKey, grantId: string) =>
  db
    .delete(models)
    .where(
      and(
        eq(models.tenantId, key.tenantId),
        eq(models.modelName, 'Grant'),
        eq(models.id, grantId),
        sql`not ${isConsented(key)}`,
      ),
    )

/** Adds to what was granted before; what is granted already keeps its time. Nothing where user or application are gone. */
export function addConsents(
  db: Database,
  { tenantId, userId, applicationId }: ConsentKey,
  granted: readonly ConsentRow[],
  { condition, now }: { condition: Condition; now: number },
) {
  const rows = JSON.stringify(granted)
  return db.run(sql`insert into ${consents} (tenant_id, user_id, application_id, resource, scope, created_at)
    select ${tenantId}, ${userId}, ${applicationId}, value ->> '$.resource', value ->> '$.scope', ${now}
    from json_each(${rows}) where ${condition}
    and exists (select 1 from ${users} where ${users.tenantId} = ${tenantId} and ${users.id} = ${userId})
    and exists (select 1 from ${applications}
      where ${applications.tenantId} = ${tenantId} and ${applications.id} = ${applicationId})
    on conflict do nothing`)
}

export type ConsentRow = { resource: string; scope: string }

/** A row for each scope, and one for a resource without any. */
export const toConsentRows = ({ scopes, resources: asked }: ConsentRequest): ConsentRow[] => [
  ...scopes.map((scope) => ({ resource: '', scope })),
  ...Object.entries(asked).flatMap(([resource, names]) =>
    (names.length > 0 ? names : ['']).map((scope) => ({ resource, scope })),
  ),
]

/** The words for what the prompt of an interaction asks for: each resource, with those of its scopes that are asked for. */
export function askedResourcesQuery(db: Database, tenantId: string, uid: string) {
  const key = { tenantId, modelName: 'Interaction', id: uid }
  const asked = valueIn(key, payloadAt('$.prompt.details.asked.resources'))
  const isAsked = sql`exists (select 1 from json_each(${asked}) as asked, json_each(asked.value) as wanted
    where asked.key = ${resources.indicator} and wanted.value = ${scopes.name})`
  return db
    .select({
      indicator: resources.indicator,
      name: resources.name,
      scope: sql<string | null>`${scopes.name}`.as('scope'),
      description: scopes.description,
    })
    .from(resources)
    .leftJoin(
      scopes,
      and(eq(scopes.tenantId, resources.tenantId), eq(scopes.resourceId, resources.id), isAsked),
    )
    .where(
      and(
        eq(resources.tenantId, tenantId),
        sql`${resources.indicator} in (select key from json_each(${asked}))`,
      ),
    )
}
