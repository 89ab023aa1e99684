import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  type AccountHookEvent,
  accountHookEvents,
  type HookConfig,
  type HookEvent,
  type StoredHookConfig,
  type SubscribedEvents,
} from '../../contract/hooks/hooks.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { type SealLabel, type Seals, UnreadableSeal } from '../seal.ts'
import { hooks } from '../tables.ts'

/**
 * Webhooks (spec/connectors#hooks). Secrets are sealed and decrypted only for signing. Headers are sealed too, because
 * they may contain the receiver's credentials (spec/connectors#hook-headers).
 */
export type HookRow = Omit<typeof hooks.$inferSelect, 'event' | 'accountEvent' | 'events'> & {
  /** The first of the events. */
  event: HookEvent
  events: SubscribedEvents
}
type SealedHook = Omit<HookRow, 'secret'>
export type StoredHook = Omit<SealedHook, 'config'> & { config: HookConfig }

const {
  event: _event,
  accountEvent: _accountEvent,
  events: _events,
  secret,
  ...others
} = getTableColumns(hooks)
const firstEvent = sql`coalesce(${hooks.accountEvent}, ${hooks.event})`
const allEvents = sql`coalesce(${hooks.events}, json_array(${firstEvent}))`
const columns = {
  ...others,
  event: sql<HookEvent>`${firstEvent}`.as('first_event'),
  events: sql<SubscribedEvents>`${allEvents}`.mapWith(hooks.events).as('all_events'),
}

/**
 * Returns the columns that store the events of a hook (ADR-0181). Earlier versions of the Worker read only the first
 * event. If it is an account event, `event` contains a placeholder (ADR-0084), and the trigger `outbox_of_other_events`
 * rejects deliveries of the placeholder event that such a version writes.
 */
function storedEvents(events: SubscribedEvents) {
  const [first] = events
  return isAccountEvent(first)
    ? ({ events, event: 'PostResetPassword', accountEvent: first } as const)
    : { events, event: first, accountEvent: null }
}

const isAccountEvent = (event: HookEvent): event is AccountHookEvent =>
  accountHookEvents.some((name) => name === event)

/** Matches the hooks that are subscribed to this event. */
export const isSubscribed = (event: HookEvent): Condition =>
  sql`exists (select 1 from json_each(${allEvents}) where json_each.value = ${event})`

/** Lists hooks, newest first. */
export async function listHooks(
  { db, seals }: { db: Database; seals: Seals },
  tenantId: string,
): Promise<StoredHook[]> {
  const rows = await db
    .select(columns)
    .from(hooks)
    .where(eq(hooks.tenantId, tenantId))
    .orderBy(desc(hooks.createdAt), desc(hooks.id))
  return Promise.all(rows.map((row) => unsealHookIfPossible(seals, row)))
}

/** Reads a hook. Its secret and headers are still sealed. */
export async function getHook(db: Database, tenantId: string, id: string): Promise<HookRow | null> {
  const [row] = await db
    .select({ ...columns, secret })
    .from(hooks)
    .where(hasKey(tenantId, id))
  return row ?? null
}

export const insertHook = (
  db: Database,
  { tenantId, id, events, config, secret, createdAt }: Omit<HookRow, 'event'>,
) =>
  db
    .insert(hooks)
    .values({ ...storedEvents(events), tenantId, id, config, secret, createdAt })
    .returning(columns)

export type HookChanges = {
  events?: SubscribedEvents | undefined
  /**
   * The configuration keys to replace. Headers are sealed, so they are always replaced as a whole
   * (spec/management#patch).
   */
  config?: Partial<StoredHookConfig> | undefined
  /** The new secret, sealed. */
  secret?: string | undefined
}

export const updateHook = (
  db: Database,
  tenantId: string,
  id: string,
  { events, config = {}, secret }: HookChanges,
) =>
  db
    .update(hooks)
    .set({
      ...(events === undefined ? {} : storedEvents(events)),
      ...(secret === undefined ? {} : { secret }),
      // The configuration is always set, because an UPDATE without a SET clause is invalid. Its keys are merged in the
      // database, so that no concurrent change is lost.
      config: sql`json_set(${
        config.sealedHeaders === undefined ? hooks.config : sql`json_remove(${hooks.config}, '$.headers')`
      }${sql.join(
        Object.entries(config).map(([key, value]) => sql`, ${`$.${key}`}, json(${JSON.stringify(value)})`),
      )})`,
    })
    .where(hasKey(tenantId, id))
    .returning(columns)

export const removeHook = (db: Database, tenantId: string, id: string) =>
  db.delete(hooks).where(hasKey(tenantId, id)).returning({ id: hooks.id })

export const hookExists = (tenantId: string, id: string): Condition =>
  sql`exists (select 1 from ${hooks} where ${hasKey(tenantId, id)})`

/** Returns the label that binds a secret to its hook, so that it cannot be decrypted for any other hook. */
export const hookSecretLabel = (tenantId: string, id: string): SealLabel => `hook-secret/${tenantId}/${id}`

/**
 * Seals the headers of a hook, if any. Sealing is asynchronous, so callers do it before they build the statement.
 * Headers that an earlier version stored in plain text are sealed when they are next changed.
 */
export async function sealHookHeaders<C extends Partial<HookConfig>>(
  seals: Seals,
  { tenantId, id }: Pick<HookRow, 'tenantId' | 'id'>,
  { headers, ...config }: C,
): Promise<Omit<C, 'headers'> & { sealedHeaders?: string }> {
  if (headers === undefined) return config
  return { ...config, sealedHeaders: await seals.seal(hookHeadersLabel(tenantId, id), headers) }
}

/**
 * Decrypts the headers of a hook. Headers that an earlier version stored in plain text are returned unchanged
 * (spec/connectors#hook-headers).
 */
export async function unsealHook<R extends SealedHook>(
  seals: Seals,
  row: R,
): Promise<Omit<R, 'config'> & { config: HookConfig }> {
  const { sealedHeaders, ...config } = row.config
  // Sealing removes plain headers. If both exist, an earlier version of the Worker wrote the plain ones afterwards.
  if (sealedHeaders === undefined || config.headers) return { ...row, config }
  const opened = Headers.safeParse(await seals.open(hookHeadersLabel(row.tenantId, row.id), sealedHeaders))
  if (opened.success) return { ...row, config: { ...config, headers: opened.data } }
  throw new UnreadableSeal(`The headers of hook ${row.id}`, sealedHeaders)
}

/**
 * Decrypts a hook for operators. Headers that cannot be decrypted are returned as empty, so that operators can replace
 * them (ADR-0061).
 */
export async function unsealHookIfPossible<R extends SealedHook>(seals: Seals, row: R) {
  const { sealedHeaders: _sealedHeaders, ...config } = row.config
  return unsealHook(seals, row).catch((error: unknown) => {
    if (error instanceof UnreadableSeal) return { ...row, config }
    throw error
  })
}

const Headers = z.record(z.string(), z.string())
export const hookHeadersLabel = (tenantId: string, id: string): SealLabel => `hook-headers/${tenantId}/${id}`

const hasKey = (tenantId: string, id: string) => and(eq(hooks.tenantId, tenantId), eq(hooks.id, id))
