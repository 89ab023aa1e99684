import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Dependencies } from '../application/dependencies.ts'
import type { HookConfig, HookEvent, StoredHookConfig } from '../contract/hooks.ts'
import type { Database } from './database.ts'
import type { Seals } from './seal.ts'
import { hooks } from './tables.ts'

/**
 * Whom applications want told (contract 2.9). The secret is sealed, and leaves storage only where something is signed;
 * headers are sealed, too, as they may be what the receiver knows us by.
 */
export type HookRow = typeof hooks.$inferSelect
export type SealedHook = Omit<HookRow, 'secret'>
export type Hook = Omit<SealedHook, 'config'> & { config: HookConfig }

const { secret: _secret, ...columns } = getTableColumns(hooks)

/** Newest first. */
export async function listHooks(
  { db, seals }: Pick<Dependencies, 'db' | 'seals'>,
  tenantId: string,
): Promise<Hook[]> {
  const rows = await db
    .select(columns)
    .from(hooks)
    .where(eq(hooks.tenantId, tenantId))
    .orderBy(desc(hooks.createdAt), desc(hooks.id))
  return Promise.all(rows.map((row) => openHookIfPossible(seals, row)))
}

/** With its secret; both are still sealed. */
export async function getHook(db: Database, tenantId: string, id: string): Promise<HookRow | null> {
  const [found] = await db.select().from(hooks).where(is(tenantId, id))
  return found ?? null
}

/** For the batch of a change and its audit row (decision 19); so are the statements below. */
export const insertHook = (db: Database, { tenantId, id, event, config, secret, createdAt }: HookRow) =>
  db.insert(hooks).values({ tenantId, id, event, config, secret, createdAt }).returning(columns)

export type HookChanges = {
  event?: HookEvent | undefined
  /** Each key given replaces what was there; headers, which are sealed, as a whole (contract 8.1). */
  config?: Partial<StoredHookConfig> | undefined
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
      config: sql`json_set(${
        config.sealedHeaders === undefined ? hooks.config : sql`json_remove(${hooks.config}, '$.headers')`
      }${sql.join(
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

/** Before an insert or a change: a statement of a batch cannot wait for it. */
export async function sealHeaders<C extends Partial<HookConfig>>(
  seals: Seals,
  { tenantId, id }: Pick<HookRow, 'tenantId' | 'id'>,
  { headers, ...config }: C,
): Promise<Omit<C, 'headers'> & { sealedHeaders?: string }> {
  if (headers === undefined) return config
  return { ...config, sealedHeaders: await seals.seal(headersLabel(tenantId, id), headers) }
}

/** After a statement that answered a row. */
export async function openHook<R extends SealedHook>(
  seals: Seals,
  row: R,
): Promise<Omit<R, 'config'> & { config: HookConfig }> {
  const { sealedHeaders, ...config } = row.config
  // Those that are open are the newer ones: whoever seals some takes them away.
  if (sealedHeaders === undefined || config.headers) return { ...row, config }
  const opened = Headers.safeParse(await seals.open(headersLabel(row.tenantId, row.id), sealedHeaders))
  if (opened.success) return { ...row, config: { ...config, headers: opened.data } }
  throw new HeadersSealed(row.id)
}

/** For operators: one whose secret is gone has no headers, and can be given others. */
export async function openHookIfPossible<R extends SealedHook>(seals: Seals, row: R) {
  const { sealedHeaders: _sealedHeaders, ...config } = row.config
  return openHook(seals, row).catch((error: unknown) => {
    if (error instanceof HeadersSealed) return { ...row, config }
    throw error
  })
}

class HeadersSealed extends Error {
  override readonly name = 'HeadersSealed'
  constructor(id: string) {
    super(
      `The headers of hook ${id} do not open: ROOT_SECRET has changed. Set ROOT_SECRET_PREVIOUS to the old one.`,
    )
  }
}

const Headers = z.record(z.string(), z.string())
export const headersLabel = (tenantId: string, id: string) => `hook-headers/${tenantId}/${id}`

const is = (tenantId: string, id: string) => and(eq(hooks.tenantId, tenantId), eq(hooks.id, id))
