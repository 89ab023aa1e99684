import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { refuseWith } from '../contract/refused.ts'
import type { Statement } from './batches.ts'
import type { Condition } from './conditions.ts'
import { type Database, findInnermostMessage } from './database.ts'

/**
 * Makes changes only if the entity has not changed since the caller read it (spec/management#conflicts, ADR-0122,
 * ADR-0165). The database compares versions inside the batch of the change, so one of two concurrent changes fails.
 */

/** A scalar value that changes whenever a column of the underlying rows changes. */
export type Version = SQL<string | null>

export const rowVersion = (table: SQLiteTable, where: SQL | undefined): Version =>
  sql`(select json_group_array(${jsonArray(Object.values(getTableColumns(table)).map((column) => sql`${column}`))})
    from ${table} where ${where})`

/** Combines the versions of several tables in which an entity is stored. */
export const combineVersions = (...versions: readonly Version[]): Version => jsonArray(versions)

/** D1 allows 32 arguments per function (https://developers.cloudflare.com/d1/platform/limits/). */
const MAX_ARGUMENTS = 32

function jsonArray(values: readonly SQL[]): SQL<string> {
  if (values.length <= MAX_ARGUMENTS) return sql`json_array(${sql.join([...values], sql`, `)})`
  const parts = Array.from({ length: Math.ceil(values.length / MAX_ARGUMENTS) }, (_, index) =>
    jsonArray(values.slice(index * MAX_ARGUMENTS, (index + 1) * MAX_ARGUMENTS)),
  )
  return jsonArray(parts)
}

/**
 * Reads the current version of an entity. Returns the precondition that the version is unchanged when the change runs.
 */
export async function createVersionPrecondition(db: Database, version: Version): Promise<Precondition> {
  const [row] = await db.all<{ version: string | null }>(sql`select ${version} as version`)
  return { condition: sql`${version} is ${row?.version ?? null}`, code: 'request.precondition_failed' }
}

const guardCodes = [
  'organization.domain_limit_reached',
  'organization.last_owner',
  'organization.limit_reached',
  'organization.permission_missing',
  'organization.role_above_own',
  'request.precondition_failed',
  'role.last_owner',
  'session.verification_failed',
  'session.verification_session_not_found',
  'user.identity_already_in_use',
] as const
type GuardCode = (typeof guardCodes)[number]

/** A condition that must hold before a change, and the error code if it is violated. */
export type Precondition = { condition: Condition; code: GuardCode }

export type Guarded = {
  /** If any of these conditions is violated, nothing is written and the change fails with its error code. */
  preconditions?: readonly Precondition[] | undefined
}

/** Returns the statements that check preconditions. They must come before the statements of the change. */
export const preconditionStatements = (
  db: Database,
  preconditions: readonly Precondition[] = [],
): Statement[] => preconditions.map(({ condition, code }) => guard(db, condition, code))

/**
 * Raises an error if the condition does not hold, because only an error rolls back a batch. Evaluating the code as a
 * JSON path raises the error, because a JSON path must begin with `$`.
 */
const guard = (db: Database, condition: Condition, code: GuardCode): Statement =>
  db.run(sql`select iif(${condition}, null, json_extract('{}', ${code}))`)

export function refuseFailedGuard(error: unknown): never {
  const message = findInnermostMessage(error)
  const failedCode = guardCodes.find((code) => message.includes(code))
  if (failedCode) refuseWith(failedCode)
  throw error
}
