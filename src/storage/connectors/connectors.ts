import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import {
  DEV_INBOX,
  type MessageConnectorType,
  messageFactoryIds,
} from '../../contract/connectors/connectors.ts'
import { findSocialFactory } from '../../contract/social/social-connectors.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { type SealLabel, type Seals, UnreadableSeal } from '../seal.ts'
import { connectors } from '../tables.ts'

/** An installed connector. `connectorId` is the id of its factory. */
export type ConnectorRow = typeof connectors.$inferSelect
export type ConnectorConfig = ConnectorRow['config']

/**
 * A stored configuration. It contains third-party secrets, which must not be readable in the database
 * (spec/storage#sealing).
 */
type SealedConfig = { sealed: string }
type SealedConnector = Omit<ConnectorRow, 'config'> & { config: SealedConfig }
type NewConnector = Omit<SealedConnector, 'tenantId'>
type ConnectorChanges = Partial<Pick<SealedConnector, 'config' | 'metadata' | 'syncProfile'>>

type SealedStore = { db: Database; seals: Seals }

/**
 * Lists connectors for operators, oldest first. A configuration that cannot be decrypted is returned as empty
 * (ADR-0061).
 */
export async function listConnectors({ db, seals }: SealedStore, tenantId: string): Promise<ConnectorRow[]> {
  const rows = await connectorsQuery(db, tenantId)
  return Promise.all(rows.map((row) => unsealConnectorOrEmpty(seals, row)))
}

export async function getConnector(
  { db, seals }: SealedStore,
  tenantId: string,
  id: string,
  open: typeof unsealConnector = unsealConnector,
): Promise<ConnectorRow | null> {
  const [row] = await db.select().from(connectors).where(hasKey(tenantId, id))
  return row ? open(seals, row) : null
}

/**
 * Finds the tenant's connector for messages of a type. In development, the default is the development inbox
 * (spec/management#development-inbox), whose `factoryId` belongs to no factory.
 */
export async function findMessageConnector(
  { db, seals, settings }: SealedStore & { settings: { environment: string } },
  tenantId: string,
  type: MessageConnectorType,
): Promise<{ id: string; factoryId: string; config: ConnectorConfig } | null> {
  const [row] = await messageConnectorQuery(db, tenantId, type)
  if (row) {
    const { id, connectorId, config } = await unsealConnector(seals, row)
    return { id, factoryId: connectorId, config }
  }
  return settings.environment === 'development' ? { id: DEV_INBOX, factoryId: DEV_INBOX, config: {} } : null
}

/**
 * Selects the connector of a type, with its configuration still sealed. There is at most one, because creating a
 * connector deletes others of the same type (spec/management#connectors-api).
 */
const messageConnectorQuery = (db: Database, tenantId: string, type: MessageConnectorType) =>
  db
    .select()
    .from(connectors)
    .where(and(eq(connectors.tenantId, tenantId), inArray(connectors.connectorId, messageFactoryIds(type))))
    .orderBy(asc(connectors.createdAt), asc(connectors.id))
    .limit(1)

/** Selects all connectors, with their configurations still sealed. */
export const connectorsQuery = (db: Database, tenantId: string) =>
  db
    .select()
    .from(connectors)
    .where(eq(connectors.tenantId, tenantId))
    .orderBy(asc(connectors.createdAt), asc(connectors.id))

/** Selects a connector, with its configuration still sealed. */
export const connectorQuery = (db: Database, tenantId: string, id: string) =>
  db.select().from(connectors).where(hasKey(tenantId, id))

/** The columns of a social connector that are needed to submit an interaction (spec/interaction#account-of-submit). */
export type InstalledSocialRow = { id: string; target: string; syncProfile: boolean }

/** Lists the connectors that users can sign in with. */
export async function listSocialConnectors(
  db: Database,
  tenantId: string,
): Promise<readonly InstalledSocialRow[]> {
  return (await connectorsQuery(db, tenantId)).flatMap((row) => {
    const target = connectorTarget(row)
    return target ? [{ id: row.id, target, syncProfile: row.syncProfile }] : []
  })
}

/**
 * Returns the key in `users.identities` under which a social connector's identities are stored, or null for a connector
 * that sends messages.
 */
export const connectorTarget = ({
  connectorId,
  metadata,
}: Pick<ConnectorRow, 'connectorId' | 'metadata'>): string | null => {
  const row = findSocialFactory(connectorId)
  return row && (metadata.target ?? row.target)
}

/**
 * Seals a configuration and binds it to its row. Sealing is asynchronous, so callers do it before they build the
 * statement.
 */
export async function sealConfig(
  { seals }: { seals: Seals },
  tenantId: string,
  id: string,
  config: ConnectorConfig,
): Promise<SealedConfig> {
  return { sealed: await seals.seal(connectorLabel(tenantId, id), config) }
}

export async function unsealConnector(seals: Seals, row: ConnectorRow): Promise<ConnectorRow> {
  const config = await configOf(seals, row)
  if (!config) throw new UnreadableSeal(`The configuration of connector ${row.id}`, String(row.config.sealed))
  return { ...row, config }
}

/**
 * Decrypts a connector for operators. A configuration that cannot be decrypted is returned as empty, so that operators
 * can replace it (ADR-0061).
 */
export const unsealConnectorOrEmpty = async (seals: Seals, row: ConnectorRow): Promise<ConnectorRow> => ({
  ...row,
  config: (await configOf(seals, row)) ?? {},
})

async function configOf(
  seals: Seals,
  { tenantId, id, config }: ConnectorRow,
): Promise<ConnectorConfig | null> {
  const { sealed } = config
  const opened = typeof sealed === 'string' ? await seals.open(connectorLabel(tenantId, id), sealed) : null
  return isConfig(opened) ? opened : null
}

/**
 * Inserts a connector. The values are in table order, because drizzle lists the columns of INSERT … SELECT in that
 * order.
 */
export function insertConnector(
  db: Database,
  tenantId: string,
  { id, syncProfile, connectorId, config, metadata, createdAt }: NewConnector,
  condition: Condition = ALWAYS_TRUE,
) {
  return db
    .insert(connectors)
    .select(
      sql`select ${tenantId}, ${id}, ${syncProfile ? 1 : 0}, ${connectorId}, ${JSON.stringify(config)},
        ${JSON.stringify(metadata)}, ${createdAt} where ${condition}`,
    )
    .returning()
}

/** Replaces the columns in `changes`, at least one of which is required (spec/management#patch). */
export const patchConnector = (
  db: Database,
  tenantId: string,
  id: string,
  changes: ConnectorChanges,
  condition: Condition = ALWAYS_TRUE,
) =>
  db
    .update(connectors)
    .set(changes)
    .where(and(hasKey(tenantId, id), condition))
    .returning()

export const deleteConnector = (db: Database, tenantId: string, id: string) =>
  db.delete(connectors).where(hasKey(tenantId, id)).returning()

export const connectorExists = (tenantId: string, id: string): Condition =>
  sql`exists (select 1 from ${connectors} where ${hasKey(tenantId, id)})`

export const CONNECTOR_ID_CONSTRAINT = 'connectors.tenant_id, connectors.id'

type Replacement = { id: string; type: MessageConnectorType; createdAt: number }

/**
 * Deletes the other connectors of a type, because a new e-mail or SMS connector replaces them
 * (spec/management#connectors-api). A batch that is executed late deletes nothing if there is a newer connector
 * (spec/storage#late-writes).
 */
export const deleteOtherConnectorsOfType = (db: Database, tenantId: string, replacement: Replacement) =>
  db
    .delete(connectors)
    .where(and(isOtherOfType(tenantId, replacement), isNewestConnectorOfType(tenantId, replacement)))
    .returning({ id: connectors.id })

export const isNewestConnectorOfType = (tenantId: string, replacement: Replacement): Condition =>
  sql`not exists (select 1 from ${connectors} as newer where newer.tenant_id = ${tenantId}
    and newer.id <> ${replacement.id} and newer.created_at > ${replacement.createdAt}
    and newer.connector_id in (select value from json_each(${JSON.stringify(messageFactoryIds(replacement.type))})))`

const isOtherOfType = (tenantId: string, { id, type }: Replacement) =>
  and(
    eq(connectors.tenantId, tenantId),
    ne(connectors.id, id),
    inArray(connectors.connectorId, messageFactoryIds(type)),
  )

const hasKey = (tenantId: string, id: string) => and(eq(connectors.tenantId, tenantId), eq(connectors.id, id))

/** Returns the label that binds a configuration to its row, so that it cannot be decrypted in any other row. */
export const connectorLabel = (tenantId: string, id: string): SealLabel => `connector/${tenantId}/${id}`

const isConfig = (value: unknown): value is ConnectorConfig =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
