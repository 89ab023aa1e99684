import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { isClientAddress } from '../../contract/applications/unregistered-clients.ts'
import type { ConsentRequest } from '../../domain/applications/consent.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { payloadAt, usersModels, valueIn } from '../interactions/oidc-models.ts'
import { applications, consents, oidcModelInstances as models, resources, scopes, users } from '../tables.ts'

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
  isClientAddress(key.applicationId)
    ? sql`exists (select 1 from ${models} where ${isIssued(key)} and ${models.modelName} = 'Grant')`
    : sql`exists (select 1 from ${consents} where ${hasKey(key)})`

const isIssued = ({ tenantId, userId, applicationId }: ConsentKey) =>
  and(
    eq(models.tenantId, tenantId),
    eq(models.accountId, userId),
    inArray(models.modelName, usersModels),
    eq(models.clientId, applicationId),
  )

/**
 * Takes back all that was granted: the consents, and everything the provider has issued to the application for the user.
 * `consents` is named last, because the others read it; it answers rows if there was something to take back.
 */
export const consentWithdrawal = (db: Database, key: ConsentKey) => ({
  issued: db.delete(models).where(and(isIssued(key), isConsented(key))),
  consents: db.delete(consents).where(hasKey(key)).returning({ id: consents.applicationId }),
})

/** The same for a client that is not registered, of which there is nothing but what was issued. */
export const clientWithdrawal = (db: Database, key: ConsentKey) => ({
  consents: db.delete(models).where(isIssued(key)).returning({ id: models.id }),
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
export const toConsentRows = ({ scopes, resources: scopesByResource }: ConsentRequest): ConsentRow[] => [
  ...scopes.map((scope) => ({ resource: '', scope })),
  ...Object.entries(scopesByResource).flatMap(([resource, names]) =>
    (names.length > 0 ? names : ['']).map((scope) => ({ resource, scope })),
  ),
]

/** Whose consents an interaction is about, before its row is read: for the batch that reads it. */
type InteractionKey = { tenantId: string; uid: string; applicationId: string }

const consentsOfInteraction = ({ tenantId, uid, applicationId }: InteractionKey): ConsentLookup => ({
  tenantId,
  applicationId,
  userId: valueIn({ tenantId, modelName: 'Interaction', id: uid }, payloadAt('$.session.accountId')),
})

/** What the user of an interaction has granted its application before. */
export const grantedBeforeQuery = (db: Database, key: InteractionKey) =>
  consentQuery(db, consentsOfInteraction(key)).orderBy(consents.createdAt, sql`rowid`)

/** The words for what the prompt of an interaction asks for, and for what was granted before: resources, with those of their scopes. */
export function askedResourcesQuery(db: Database, key: InteractionKey) {
  const { tenantId } = key
  const interaction = { tenantId, modelName: 'Interaction', id: key.uid }
  const requested = valueIn(interaction, payloadAt('$.prompt.details.asked.resources'))
  const granted = hasKey(consentsOfInteraction(key))
  const isAsked = sql`(exists (select 1 from json_each(${requested}) as asked, json_each(asked.value) as wanted
      where asked.key = ${resources.indicator} and wanted.value = ${scopes.name})
    or exists (select 1 from ${consents} where ${granted}
      and ${consents.resource} = ${resources.indicator} and ${consents.scope} = ${scopes.name}))`
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
        sql`${resources.indicator} in (select key from json_each(${requested})
          union select ${consents.resource} from ${consents} where ${granted})`,
      ),
    )
}
