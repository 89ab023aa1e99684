import { and, eq, type SQL, sql } from 'drizzle-orm'
import { isClientUrl } from '../../contract/applications/unregistered-clients.ts'
import type { ConsentRow } from '../../domain/applications/consent.ts'
import { anyOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { belongsToAccount, modelValue, payloadAt } from '../interactions/oidc-models.ts'
import { applications, consents, oidcModelInstances as models, resources, scopes, users } from '../tables.ts'

/** The users' consents to third-party applications (spec/storage#consents). */

export type ConsentKey = { tenantId: string; userId: string; applicationId: string }

/** The key of a user's consents. `userId` may be a column of a row that the same batch reads. */
type ConsentLookup = Omit<ConsentKey, 'userId'> & { userId: string | SQL }

const hasKey = ({ tenantId, userId, applicationId }: ConsentLookup) =>
  and(eq(consents.tenantId, tenantId), eq(consents.userId, userId), eq(consents.applicationId, applicationId))

export const consentQuery = (db: Database, key: ConsentLookup) =>
  db.select({ resource: consents.resource, scope: consents.scope }).from(consents).where(hasKey(key))

/**
 * Checks whether a user has allowed a third party to act for an organisation. This is recorded only in grants
 * (spec/organisations#consent).
 */
const hasOrganizationGrant = (key: ConsentKey): Condition =>
  sql`exists (select 1 from ${models} where ${isGrantFor(key)} and ${payloadAt('$.organizationId')} is not null
    and exists (select 1 from ${applications} where ${applications.tenantId} = ${key.tenantId}
      and ${applications.id} = ${key.applicationId}
      and ${applications.customClientMetadata} ->> '$.isThirdParty'))`

/** Checks whether there is anything to withdraw: a consent or, for an organisation, a grant. */
export const hasWithdrawable = (key: ConsentKey): Condition =>
  anyOf(hasConsent(key), hasOrganizationGrant(key))

/** Checks whether the user currently has any consent for this application. */
export const hasConsent = (key: ConsentKey): Condition =>
  isClientUrl(key.applicationId)
    ? sql`exists (select 1 from ${models} where ${isGrantFor(key)})`
    : sql`exists (select 1 from ${consents} where ${hasKey(key)})`

const isGrantFor = ({ tenantId, userId, applicationId }: ConsentKey) =>
  and(belongsToAccount(tenantId, userId), eq(models.modelName, 'Grant'), eq(models.clientId, applicationId))

/**
 * Withdraws the user's consents to an application and deletes the grants, which ends everything issued under them.
 * `consents` comes last, because the other statement depends on the consents. If neither returns a row, there was
 * nothing to withdraw.
 */
export const consentWithdrawalStatements = (db: Database, key: ConsentKey) => ({
  grants: db
    .delete(models)
    .where(and(isGrantFor(key), hasWithdrawable(key)))
    .returning({ id: models.id }),
  consents: db.delete(consents).where(hasKey(key)).returning({ id: consents.applicationId }),
})

/** Withdraws the access that a user granted to an unregistered client. Such access is recorded only in grants. */
export const clientWithdrawalStatements = (db: Database, key: ConsentKey) => ({
  consents: undefined,
  grants: db.delete(models).where(isGrantFor(key)).returning({ id: models.id }),
})

/**
 * Deletes a new grant if the underlying consents were withdrawn in the meantime. The statement belongs in the batch
 * that writes the grant; everything issued under a deleted grant is invalid.
 */
export const deleteWithdrawnGrant = (db: Database, key: ConsentKey, grantId: string) =>
  db
    .delete(models)
    .where(
      and(
        eq(models.tenantId, key.tenantId),
        eq(models.modelName, 'Grant'),
        eq(models.id, grantId),
        sql`not ${hasConsent(key)}`,
      ),
    )

/**
 * Adds consents; existing ones keep their creation times. Adds nothing if the user or the application no longer exists.
 */
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

/** The interaction whose consents are looked up in the batch that also reads the interaction's row. */
type InteractionKey = { tenantId: string; uid: string; applicationId: string }

const consentsOfInteraction = ({ tenantId, uid, applicationId }: InteractionKey): ConsentLookup => ({
  tenantId,
  applicationId,
  userId: modelValue({ tenantId, modelName: 'Interaction', id: uid }, payloadAt('$.session.accountId')),
})

/** Selects what the user of an interaction has already granted to the application. */
export const earlierConsentsQuery = (db: Database, key: InteractionKey) =>
  consentQuery(db, consentsOfInteraction(key)).orderBy(consents.createdAt, sql`rowid`)

/**
 * Selects the names and descriptions of the resources and scopes that an interaction's prompt requests or that were
 * granted before.
 */
export function requestedResourcesQuery(db: Database, key: InteractionKey) {
  const { tenantId } = key
  const interaction = { tenantId, modelName: 'Interaction', id: key.uid }
  const requested = modelValue(interaction, payloadAt('$.prompt.details.asked.resources'))
  const granted = hasKey(consentsOfInteraction(key))
  const isNamed = sql`(exists (select 1 from json_each(${requested}) as requested, json_each(requested.value) as name
      where requested.key = ${resources.indicator} and name.value = ${scopes.name})
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
      and(eq(scopes.tenantId, resources.tenantId), eq(scopes.resourceId, resources.id), isNamed),
    )
    .where(
      and(
        eq(resources.tenantId, tenantId),
        sql`${resources.indicator} in (select key from json_each(${requested})
          union select ${consents.resource} from ${consents} where ${granted})`,
      ),
    )
}
