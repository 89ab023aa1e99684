import { and, eq, getTableColumns, is, isNotNull, sql } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { sendBatch } from '../batches.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import * as tables from '../tables.ts'
import { applications, configs, hooks, resources, roles, scopes, tenants, users } from '../tables.ts'

/**
 * Deletes tenants step by step, because a single statement could not delete millions of rows
 * (spec/storage#tenant-deletion).
 */

/**
 * The tables to which other rows refer. Deleting their rows also deletes those other rows. They come last, when few
 * referring rows are left, to keep each statement short.
 */
const referredTo: readonly SQLiteTable[] = [users, applications, hooks, scopes, resources, roles]

/**
 * Tables with few rows, which are deleted together with the tenant's row, because they are needed until then to find
 * the tenant's uploads.
 */
const deletedWithTenant: readonly SQLiteTable[] = [configs]

const ownedTables = (() => {
  const owned = Object.values(tables).flatMap((table) =>
    is(table, SQLiteTable) && 'tenantId' in getTableColumns(table) && !deletedWithTenant.includes(table)
      ? [table]
      : [],
  )
  return [...owned.filter((table) => !referredTo.includes(table)), ...referredTo]
})()

export const tenantRowExists = (id: string): Condition =>
  sql`exists (select 1 from ${tenants} where ${eq(tenants.id, id)})`

/** A tenant that is being deleted, and the time at which its deletion started. */
export type MarkedTenant = { id: string; deletedAt: number }

const markedColumns = { id: tenants.id, deletedAt: sql<number>`${tenants.deletedAt}` }

/**
 * Marks a tenant as deleted, after which it serves no requests. This is the first step of the deletion and safe to
 * repeat.
 */
export const markDeleted = (db: Database, id: string, now: number) =>
  db
    .update(tenants)
    .set({ deletedAt: sql`coalesce(${tenants.deletedAt}, ${now})` })
    .where(eq(tenants.id, id))
    .returning(markedColumns)

/** Selects marked tenants in random order, so that tenants that cannot be deleted yet do not hold up the others. */
export const findMarkedTenants = (db: Database, limit: number): Promise<MarkedTenant[]> =>
  db
    .select(markedColumns)
    .from(tenants)
    .where(isNotNull(tenants.deletedAt))
    .orderBy(sql`random()`)
    .limit(limit)
    .all()

const ROWS = 500

/** Deletes some rows of each table. Returns true once the remaining rows can be deleted with the row of the tenant. */
export async function deleteSomeRows(db: Database, id: string): Promise<boolean> {
  const deleted = await sendBatch(
    db,
    ownedTables.map((table) =>
      db
        .delete(table)
        .where(sql`rowid in (select rowid from ${table} where tenant_id = ${id} limit ${ROWS})`)
        .returning({ deleted: sql`1`.as('deleted') }),
    ),
  )
  return deleted.every((rows) => Array.isArray(rows) && rows.length < ROWS)
}

/**
 * Deletes the tenant's row as the last step. This also deletes rows that were written by requests that began before the
 * tenant was marked.
 */
export const deleteMarkedTenant = (db: Database, id: string) =>
  db.delete(tenants).where(and(eq(tenants.id, id), isNotNull(tenants.deletedAt)))
