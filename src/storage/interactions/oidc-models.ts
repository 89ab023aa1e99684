import { and, eq, inArray, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { oidcModelInstances as models } from '../tables.ts'

/**
 * The rows of the OpenID Provider (spec/storage#oidc-models). Most functions return a statement, so that the caller can
 * send several in one batch.
 */

export type ModelRow = typeof models.$inferSelect
type Payload = ModelRow['payload']

export type ModelKey = { tenantId: string; modelName: string; id: string }

export const matchesModelKey = ({ tenantId, modelName, id }: ModelKey) =>
  and(eq(models.tenantId, tenantId), eq(models.modelName, modelName), eq(models.id, id))

export const matchesModelName = (tenantId: string, modelName: string) =>
  and(eq(models.tenantId, tenantId), eq(models.modelName, modelName))

/**
 * Matches the rows that belong to an account directly: its sessions and grants, but no codes and tokens, which are valid
 * only as long as their grant exists. Only these rows are in the index of owners.
 */
export const belongsToAccount = (tenantId: string | SQL, accountId: string | SQL) =>
  and(eq(models.tenantId, tenantId), eq(models.accountId, accountId), isNull(models.grantId))

/** Matches the rows that belong to an application directly: grants and its own tokens, but not those of users. */
export const belongsToClient = (tenantId: string, clientId: string) =>
  and(eq(models.tenantId, tenantId), eq(models.clientId, clientId), isNull(models.grantId))

export const hasModel = (key: ModelKey): Condition =>
  sql`exists (select 1 from ${models} where ${matchesModelKey(key)})`

export const modelQuery = (db: Database, key: ModelKey) =>
  db
    .select()
    .from(models)
    .where(and(matchesModelKey(key), key.modelName === 'Grant' ? isGrantInForce : undefined))
    .limit(1)

/**
 * Matches grants that have lost neither their organisation nor their session. Every query that reads grants has this
 * condition, so a removed member loses everything that was issued under them at once (spec/organisations#revocation,
 * ADR-0193). Table names are written out, because drizzle omits them in a single-table SELECT.
 */
export const isGrantInForce = sql`(json_extract(oidc_model_instances.payload, '$.organizationId') is null
    or exists (select 1 from organization_users as members
      where members.tenant_id = oidc_model_instances.tenant_id and members.user_id = oidc_model_instances.account_id
      and members.organization_id = json_extract(oidc_model_instances.payload, '$.organizationId')))
  and (json_extract(oidc_model_instances.payload, '$.endsWithSession') is null
    or ' ' || json_extract(oidc_model_instances.payload, '$.openid.scope') || ' ' like '% offline_access %'
    or exists (select 1 from oidc_model_instances as sessions
      where sessions.tenant_id = oidc_model_instances.tenant_id and sessions.model_name = 'Session'
      and sessions.uid = oidc_model_instances.session_uid))`

/** Selects a row by one of the payload properties that have an indexed virtual column. */
export const modelByPropertyQuery = (
  db: Database,
  tenantId: string,
  modelName: string,
  property: 'uid' | 'userCode',
  value: string,
) =>
  db
    .select()
    .from(models)
    .where(and(matchesModelName(tenantId, modelName), eq(models[property], value)))
    .limit(1)

export const matchesInteraction = (tenantId: string, uid: string) =>
  matchesModelKey({ tenantId, modelName: 'Interaction', id: uid })

const isSessionWith = (tenantId: string, uid: string) =>
  and(matchesModelName(tenantId, 'Session'), eq(models.uid, uid))

/** Checks that the session has not ended. A session keeps its uid even if a sign-in gives it a new id. */
export const hasSessionWithUid = (tenantId: string, uid: string): Condition =>
  sql`exists (select 1 from ${models} where ${isSessionWith(tenantId, uid)})`

/**
 * Deletes a session by its uid. Its id is not sufficient, because another request may have given the session a new one.
 */
export const deleteSessionByUid = (db: Database, tenantId: string, uid: string, condition: Condition) =>
  db.delete(models).where(and(isSessionWith(tenantId, uid), condition))

/** The maximum number of an account's rows that a list reads. Sign-ins can create any number of rows. */
const MAX_SEARCHED = 1000

/** Matches the account's newest rows, to which lists are limited. The index is in the order of the rowids. */
export const isAmongNewest = (
  tenantId: string,
  modelName: string,
  accountId: string,
  limit = MAX_SEARCHED,
): Condition =>
  sql`oidc_model_instances.rowid in (select rowid from ${models} where ${and(
    belongsToAccount(tenantId, accountId),
    eq(models.modelName, modelName),
  )} order by rowid desc limit ${limit})`

/** Returns a subquery for a value from a row that the same batch reads. */
export const modelValue = (key: ModelKey, expression: SQL | typeof models.accountId) =>
  sql`(select ${expression} from ${models} where ${matchesModelKey(key)})`

export const payloadAt = (path: string) => sql`json_extract(${models.payload}, ${path})`

/**
 * The time, in epoch seconds, that `isRevoked` compares with the time of a revocation: when the session or grant was
 * created or exempted.
 */
export const validSinceSecond = sql`max(json_extract(${models.payload}, iif(${models.modelName} = 'Session', '$.loginTs', '$.iat')),
  coalesce(${payloadAt('$.exemptedAt')}, 0))`

export type ModelWrite = ModelKey & { payload: Payload; expiresAt: number }

/** Checks that the interaction has not ended yet. */
export const isNotEnded = (key: ModelKey): Condition =>
  sql`exists (select 1 from ${models} where ${matchesModelKey(key)} and ${models.consumedAt} is null)`

/**
 * Ends an interaction whose authorization is finished. An empty row remains until the interaction would have expired,
 * because otherwise its first cookie, which contains the original row, could restore it. Returns the id, or no row if
 * another request ended the interaction first.
 */
export const endInteraction = (db: Database, key: ModelKey, now: number, condition: Condition) =>
  db
    .update(models)
    .set({ payload: {}, consumedAt: now })
    .where(and(matchesModelKey(key), isNull(models.consumedAt), condition))
    .returning({ id: models.id })

/**
 * Inserts or replaces a row. With `onConflict: 'keep'`, an existing row is left unchanged
 * (spec/provider#refresh-token-successor).
 */
export const writeModel = (
  db: Database,
  { tenantId, modelName, id, payload, expiresAt }: ModelWrite,
  { onConflict, condition }: { onConflict: 'replace' | 'keep'; condition: Condition },
) =>
  db.run(sql`insert into ${models} (tenant_id, model_name, id, payload, expires_at)
    select ${tenantId}, ${modelName}, ${id}, ${JSON.stringify(payload)}, ${expiresAt} where ${condition}
    on conflict (tenant_id, model_name, id) do ${
      onConflict === 'keep'
        ? sql`nothing`
        : sql`update set payload = excluded.payload, expires_at = excluded.expires_at`
    }`)

/**
 * Updates an existing row, but does not restore a row that a sign-out has deleted. A newer state of a session is not
 * overwritten; it has a later expiry, because each use of a session extends it (spec/storage#late-writes). A grant that
 * a refresh has extended in the meantime keeps its later expiry. The row keeps its exemption from a revocation, which
 * is not part of the provider's payload.
 */
export const updateModel = (
  db: Database,
  { tenantId, modelName, id, payload, expiresAt }: ModelWrite,
  condition: Condition,
) =>
  db
    .update(models)
    .set({
      payload: sql`json_patch(${JSON.stringify(payload)}, json_object('exemptedAt', ${payloadAt('$.exemptedAt')},
        'exp', max(${expiresAt}, ${models.expiresAt}) / 1000))`,
      expiresAt: sql`max(${expiresAt}, ${models.expiresAt})`,
    })
    .where(
      and(
        matchesModelKey({ tenantId, modelName, id }),
        modelName === 'Session' ? lte(models.expiresAt, expiresAt) : undefined,
        condition,
      ),
    )

/**
 * Extends a row that still exists and has not been used up. Only its expiry changes, so everything that a revocation
 * compares remains as it is (spec/provider#grants).
 */
export const extendModel = (
  db: Database,
  { expiresAt, ...key }: ModelKey & { expiresAt: number },
  condition: Condition,
) =>
  db
    .update(models)
    .set({ payload: sql`json_set(${models.payload}, '$.exp', ${expiresAt / 1000})`, expiresAt })
    .where(and(matchesModelKey(key), isNull(models.consumedAt), lt(models.expiresAt, expiresAt), condition))

/** Deletes a row, and returns its id if it existed. */
export const deleteModel = (db: Database, key: ModelKey, condition: Condition) =>
  db
    .delete(models)
    .where(and(matchesModelKey(key), condition))
    .returning({ id: models.id })

/** Reports whether rows of a model are issued under a grant. They are valid only as long as it exists (ADR-0190). */
export const isGrantedModel = (modelName: string): boolean => grantedModels.includes(modelName)

const grantedModels = ['AccessToken', 'RefreshToken', 'AuthorizationCode']

/** Matches codes and tokens whose grant does not exist. */
export const lacksGrant = sql`(${inArray(models.modelName, grantedModels)}
  and not exists (select 1 from ${models} as grants where grants.tenant_id = ${models.tenantId}
    and grants.model_name = 'Grant' and grants.id = ${models.grantId}))`

/** The prefix of ids in payloads that are already digests (spec/provider#token-digests). */
export const REFERENCE_PREFIX = 'sha256:'
