import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { HookConfig, HookEvent } from '../contract/hooks.ts'
import type { Database } from './database.ts'
import { hooks } from './tables.ts'

/** Whom applications want told (contract 2.9). The secret is sealed, and leaves storage only where something is signed. */
export type HookRow = typeof hooks.$inferSelect
export type Hook = Omit<HookRow, 'secret'>

const { secret: _secret, ...columns } = getTableColumns(hooks)

/** Newest first. */
export const listHooks = (db: Database, tenantId: string): Promise<Hook[]> =>
  db
    .select(columns)
    .from(hooks)
    .where(eq(hooks.tenantId, tenantId))
    .orderBy(desc(hooks.createdAt), desc(hooks.id))

/** With its secret. */
export async function getHook(db: Database, tenantId: string, id: string): Promise<HookRow | null> {
  const [found] = await db.select().from(hooks).where(is(tenantId, id))
  return found ?? null
}

/** For the batch of a change and its audit row (decision 19); so are the statements below. */
export const insertHook = (db: Database, { tenantId, id, event, config, secret, createdAt }: HookRow) =>
  db.insert(hooks).values({ tenantId, id, event, config, secret, createdAt }).returning(columns)

export type HookChanges = {
  event?: HookEvent | undefined
  /** Each key given replaces what was there; `headers` as a whole (contract 8.1). */
  config?: Partial<HookConfig> | undefined
  /** Sealed. */
  secret?: string | undefined
}

export const updateHook = (
  db: Database,
  tenantId: string,
  id: string,
  { event, config = {}, secret }: HookChanges,
) =>
  db
    .update(hooks)
    .set({
      ...(event === undefined ? {} : { event }),
      ...(secret === undefined ? {} : { secret }),
      // Always given, because an UPDATE sets something. Where it lies, so that two changes at once both stay.
      config: sql`json_set(${hooks.config}${sql.join(
        Object.entries(config).map(([key, value]) => sql`, ${`$.${key}`}, json(${JSON.stringify(value)})`),
      )})`,
    })
    .where(is(tenantId, id))
    .returning(columns)

export const removeHook = (db: Database, tenantId: string, id: string) =>
  db.delete(hooks).where(is(tenantId, id)).returning({ id: hooks.id })

/** As a condition for other statements of a batch. */
export const isHook = (tenantId: string, id: string): SQL =>
  sql`exists (select 1 from ${hooks} where ${is(tenantId, id)})`

/** A secret opens in its own hook alone. */
export const hookSecretLabel = (tenantId: string, id: string) => `hook-secret/${tenantId}/${id}`

const is = (tenantId: string, id: string) => and(eq(hooks.tenantId, tenantId), eq(hooks.id, id))
