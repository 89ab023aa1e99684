import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { configs } from './tables.ts'

/** System configuration, one JSON value per key (spec 3). Whoever reads a value parses it: it is as old as it is. */
export type ConfigValue = Record<string, unknown>

export const configQuery = (db: Database, tenantId: string, key: string) =>
  db.select({ value: configs.value }).from(configs).where(is(tenantId, key))

export async function readConfig(db: Database, tenantId: string, key: string): Promise<ConfigValue | null> {
  const [row] = await configQuery(db, tenantId, key)
  return row?.value ?? null
}

/** Of several who are first at the same time one wins, and all answer the winner's value. */
export async function insertConfigIfAbsent(
  db: Database,
  tenantId: string,
  key: string,
  value: ConfigValue,
): Promise<ConfigValue> {
  const [, [row]] = await db.batch([
    db.insert(configs).values({ tenantId, key, value }).onConflictDoNothing(),
    configQuery(db, tenantId, key),
  ])
  return row?.value ?? value
}

/** Replaces this value and no other: answers no row when somebody changed it meanwhile. */
export const replaceConfig = (
  db: Database,
  tenantId: string,
  key: string,
  { from, to }: { from: ConfigValue; to: ConfigValue },
) =>
  db
    .update(configs)
    .set({ value: to })
    .where(and(is(tenantId, key), eq(configs.value, from)))
    .returning({ key: configs.key })

/** As a condition for other statements of a batch. */
export const isConfig = (tenantId: string, key: string, value: ConfigValue): SQL =>
  sql`exists (select 1 from ${configs} where ${and(is(tenantId, key), eq(configs.value, value))})`

/** Replaces what is there. */
export const putConfig = (db: Database, tenantId: string, key: string, value: ConfigValue) =>
  db
    .insert(configs)
    .values({ tenantId, key, value })
    .onConflictDoUpdate({ target: [configs.tenantId, configs.key], set: { value } })

/** Replaces the keys that are given and keeps the others (RFC 7396), so that two changes at once both stay. Answers `{ value }`. */
export const mergeConfig = (db: Database, tenantId: string, key: string, patch: ConfigValue) =>
  db
    .insert(configs)
    .values({ tenantId, key, value: patch })
    .onConflictDoUpdate({
      target: [configs.tenantId, configs.key],
      set: { value: sql`json_patch(${configs.value}, excluded.value)` },
    })
    .returning({ value: configs.value })

const is = (tenantId: string, key: string) => and(eq(configs.tenantId, tenantId), eq(configs.key, key))
