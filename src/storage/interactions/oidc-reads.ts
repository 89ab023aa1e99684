import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { isOperator } from '../access/administration.ts'
import { roleNamesQuery } from '../access/roles.ts'
import {
  listStatements,
  nameRows,
  readTogether,
  type Statement,
  type Statements,
  sendBatch,
} from '../batches.ts'
import { type Database, retryOnce } from '../database.ts'
import { conditionQuery } from '../factors/factors.ts'
import { applications, oidcModelInstances as models, users } from '../tables.ts'
import { userColumns } from '../users/users.ts'
import {
  isGrantInForce,
  type ModelKey,
  matchesModelKey,
  matchesModelName,
  modelQuery,
  modelValue,
  payloadAt,
  REFERENCE_PREFIX,
} from './oidc-models.ts'

/** The provider's queries. Each reads a row and everything that decides whether the row is valid, in one round trip. */

export const userQuery = (db: Database, tenantId: string, id: string | SQL) =>
  db
    .select(userColumns)
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, id)))
    .limit(1)

/** Selects the rows of one model to which another row of the same batch refers. */
const rowsWhere = (db: Database, tenantId: string, modelName: string, condition: SQL | undefined) =>
  db
    .select()
    .from(models)
    .where(and(matchesModelName(tenantId, modelName), condition))

/** Selects grants to which another row of the same batch refers, if they are still in force. */
const grantsWhere = (db: Database, tenantId: string, condition: SQL) =>
  rowsWhere(db, tenantId, 'Grant', and(condition, isGrantInForce))

/** Selects a code or token, and the rows that decide whether it is valid: its grant, session and user. */
export const tokenQueries = (db: Database, key: ModelKey) => ({
  model: modelQuery(db, key),
  grants: grantsWhere(db, key.tenantId, eq(models.id, modelValue(key, models.grantId))).limit(1),
  sessions: sessionQuery(db, key, '$.sessionUid'),
  users: userQuery(db, key.tenantId, modelValue(key, models.accountId)),
})

/**
 * Selects a code or token and, if it was requested with the scope `roles`, the names of its user's roles, including
 * internal ones. It is one query, so that a token without the scope costs no further row.
 */
export const tokenWithRolesQuery = (db: Database, key: ModelKey) =>
  db
    .select({
      ...getTableColumns(models),
      roleNames: sql<string[] | null>`case when instr(' ' || ${payloadAt('$.scope')} || ' ', ' roles ') > 0
        then (select json_group_array(name) from (${roleNamesQuery(db, key.tenantId, sql`${models.accountId}`)})) end`
        .mapWith((names: string) => JSON.parse(names) as string[])
        .as('role_names'),
    })
    .from(models)
    .where(matchesModelKey(key))
    .limit(1)

/** Selects a grant and its user. Used for a JWT, which names its grant and has no row of its own. */
export const grantQueries = (db: Database, key: ModelKey) => ({
  model: modelQuery(db, key),
  users: userQuery(db, key.tenantId, modelValue(key, models.accountId)),
})

/**
 * Selects a session, its user and the grant of the application `clientId` or, if undefined, the grants of all
 * applications in the session.
 */
export const sessionQueries = (db: Database, key: ModelKey, clientId?: string) => ({
  model: modelQuery(db, key),
  grants: grantsWhere(
    db,
    key.tenantId,
    sql`${models.id} in (select json_extract(value, '$.grantId') from json_each(${modelValue(key, payloadAt('$.authorizations'))})
      ${clientId === undefined ? sql`` : sql`where key = ${clientId}`})`,
  ),
  users: userQuery(db, key.tenantId, modelValue(key, models.accountId)),
})

/** Selects an interaction, its pushed request, the grant selected during consent and the user who signed in. */
export const resumeQueries = (db: Database, key: ModelKey) => ({
  model: modelQuery(db, key),
  grants: grantsWhere(
    db,
    key.tenantId,
    eq(models.id, modelValue(key, payloadAt('$.result.consent.grantId'))),
  ).limit(1),
  pushed: rowsWhere(
    db,
    key.tenantId,
    'PushedAuthorizationRequest',
    eq(models.id, sql`substr(${modelValue(key, payloadAt('$.parJti'))}, ${REFERENCE_PREFIX.length + 1})`),
  ).limit(1),
  users: userQuery(db, key.tenantId, modelValue(key, payloadAt('$.result.login.accountId'))),
})

/** Selects the session whose uid is at this path of a row's payload. */
const sessionQuery = (db: Database, key: ModelKey, path: string) =>
  rowsWhere(db, key.tenantId, 'Session', eq(models.uid, modelValue(key, payloadAt(path)))).limit(1)

export const sessionUserId = (key: ModelKey): SQL => modelValue(key, models.accountId)

/**
 * Returns the user who signed in during the interaction or, if nobody did, the user of the session with which it
 * started.
 */
export const interactionUserId = (key: ModelKey): SQL =>
  sql`coalesce(${modelValue(key, payloadAt('$.result.login.accountId'))}, ${modelValue(key, payloadAt('$.session.accountId'))})`

/** Returns the user who signed in during an interaction that has not been resumed yet. */
export const loginUserId = (key: ModelKey): SQL => modelValue(key, payloadAt('$.result.login.accountId'))

/** Selects the application that started an interaction. Built-in applications have no row. */
export const interactionClientQuery = (db: Database, tenantId: string, uid: string) => {
  const key = { tenantId, modelName: 'Interaction', id: uid }
  return db
    .select({
      type: applications.type,
      oidcClientMetadata: applications.oidcClientMetadata,
      customClientMetadata: applications.customClientMetadata,
    })
    .from(applications)
    .where(
      and(
        eq(applications.tenantId, tenantId),
        eq(applications.id, modelValue(key, payloadAt('$.params.client_id'))),
      ),
    )
    .limit(1)
}

/** Returns the resources of a code or refresh token as JSON: a string, a list or null. */
export const tokenResources = (key: ModelKey): SQL => modelValue(key, sql`${models.payload} -> '$.resource'`)

/**
 * Reads an access token by the digest of its value, together with the rows that decide whether it is valid. Also finds
 * client credentials tokens.
 */
export async function readBearerToken(db: Database, tenantId: string, id: string) {
  const key = { tenantId, modelName: 'AccessToken', id }
  const { model, grants, sessions, users, credentials, operator } = await readTogether(db, {
    ...tokenQueries(db, key),
    credentials: modelQuery(db, { tenantId, modelName: 'ClientCredentials', id }),
    operator: conditionQuery(db, isOperator(tenantId, modelValue(key, models.accountId))),
  })
  return {
    isOperator: operator.length > 0,
    token: model[0],
    grant: grants[0],
    session: sessions[0],
    user: users[0],
    credentials: credentials[0],
  }
}

/**
 * Reads an interaction, the session that it is bound to and the session's user, if any. `more` contains the call's
 * other queries and the attempts that it counts, which are sent in the same round trip, as are the `further` statements,
 * whose results are returned without names. `creation` comes first and writes the interaction's row if it is not in the
 * database yet.
 */
export async function readOpenInteraction<const S extends Statements>(
  db: Database,
  { tenantId, uid, creation, further = [] }: InteractionRead,
  more: S,
) {
  const own = interactionQueries(db, tenantId, uid)
  const statements = listStatements(own)
  const others = [...listStatements(more), ...further]
  const send = () => sendBatch(db, [...creation, ...statements, ...others])
  // The batch is not retried: D1 retries reads itself, and attempts in `more` would be counted twice.
  const all = await (creation.length > 0 && others.length === 0 ? retryOnce(send) : send())
  const results = all.slice(creation.length)
  return {
    ...nameRows(own, results),
    results: nameRows(more, results.slice(statements.length)),
    furtherResults: results.slice(results.length - further.length),
  }
}

type InteractionRead = {
  tenantId: string
  uid: string
  creation: readonly Statement[]
  further?: readonly Statement[] | undefined
}

/** Selects an interaction, the session that it is bound to and the session's user, if any. */
const interactionQueries = (db: Database, tenantId: string, uid: string) => {
  const key = { tenantId, modelName: 'Interaction', id: uid }
  return {
    interaction: modelQuery(db, key),
    session: sessionQuery(db, key, '$.session.uid'),
    user: userQuery(db, tenantId, modelValue(key, payloadAt('$.session.accountId'))),
  }
}
