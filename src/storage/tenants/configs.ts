import { and, eq, sql } from 'drizzle-orm'
import { commitChange, notAudited } from '../commit.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { configs } from '../tables.ts'

/**
 * Configuration entries, one JSON value per key (spec/storage#system-configuration). Readers validate the values,
 * because an older version may have written them.
 */
export type ConfigValue = Record<string, unknown>

export const configQuery = (db: Database, tenantId: string, key: string) =>
  db.select({ value: configs.value }).from(configs).where(hasKey(tenantId, key))

export async function readConfig(db: Database, tenantId: string, key: string): Promise<ConfigValue | null> {
  const [row] = await configQuery(db, tenantId, key)
  return row?.value ?? null
}

/**
 * Inserts a value unless the key already has one. If several requests insert values concurrently, all of them return
 * the first value.
 */
export async function insertConfigIfAbsent(
  db: Database,
  tenantId: string,
  key: string,
  value: ConfigValue,
): Promise<ConfigValue> {
  const { stored } = await commitChange(db, {
    tenantId,
    audit: notAudited('the system made the value when it was first needed'),
    statements: {
      inserted: db.insert(configs).values({ tenantId, key, value }).onConflictDoNothing(),
      stored: configQuery(db, tenantId, key),
    },
  })
  return stored[0]?.value ?? value
}

/**
 * Replaces a value if it still equals the expected one. Returns no row if another request has changed it in the
 * meantime.
 */
export const replaceConfig = (
  db: Database,
  tenantId: string,
  key: string,
  { from, to }: { from: ConfigValue; to: ConfigValue },
) =>
  db
    .update(configs)
    .set({ value: to })
    .where(and(hasKey(tenantId, key), eq(configs.value, from)))
    .returning({ key: configs.key })

export const hasConfigValue = (tenantId: string, key: string, value: ConfigValue): Condition =>
  sql`exists (select 1 from ${configs} where ${and(hasKey(tenantId, key), eq(configs.value, value))})`

/** Merges a patch in the database (RFC 7396), so that no concurrent change is lost. */
export const mergeConfig = (db: Database, tenantId: string, key: string, patch: ConfigValue) =>
  db
    .insert(configs)
    .values({ tenantId, key, value: patch })
    .onConflictDoUpdate({
      target: [configs.tenantId, configs.key],
      set: { value: sql`json_patch(${configs.value}, excluded.value)` },
    })
    .returning({ value: configs.value })

export const deleteConfig = (db: Database, tenantId: string, key: string) =>
  db.delete(configs).where(hasKey(tenantId, key)).returning({ key: configs.key })

export const hasConfig = (tenantId: string, key: string): Condition =>
  sql`exists (select 1 from ${configs} where ${hasKey(tenantId, key)})`

const hasKey = (tenantId: string, key: string) => and(eq(configs.tenantId, tenantId), eq(configs.key, key))
