import { and, asc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Dependencies } from '../application/dependencies.ts'
import { DEV_INBOX, type MessageConnectorType, messageFactoryIds } from '../contract/connectors.ts'
import { findSocialRow } from '../contract/social-connectors.ts'
import type { Database } from './database.ts'
import type { Seals } from './seal.ts'
import { connectors } from './tables.ts'

/** An installed connector. `connectorId` is the id of its factory. */
export type Connector = typeof connectors.$inferSelect
export type ConnectorConfig = Connector['config']

/** The configuration as it is stored: it holds the secrets of others, so nobody reads it in the database (design 4). */
export type SealedConfig = { sealed: string }
export type SealedConnector = Omit<Connector, 'config'> & { config: SealedConfig }
export type NewConnector = Omit<SealedConnector, 'tenantId'>
export type ConnectorChanges = Partial<Pick<SealedConnector, 'config' | 'metadata' | 'syncProfile'>>

type Vault = Pick<Dependencies, 'db' | 'seals'>

/** Oldest first, with their configurations as far as they open: for those who can give one a new configuration. */
export async function listConnectors({ db, seals }: Vault, tenantId: string): Promise<Connector[]> {
  const rows = await connectorsQuery(db, tenantId)
  return Promise.all(rows.map((row) => openOrEmpty(seals, row)))
}

export async function getConnector(
  { db, seals }: Vault,
  tenantId: string,
  id: string,
  open: typeof openConnector = openConnector,
): Promise<Connector | null> {
  const [row] = await db.select().from(connectors).where(is(tenantId, id))
  return row ? open(seals, row) : null
}

/**
 * What sends messages of a type in this tenant. In development, where nothing is installed, it is the dev inbox
 * (decision 44), whose `factoryId` no factory has.
 */
export async function findMessageConnector(
  { db, seals, settings }: Pick<Dependencies, 'db' | 'seals' | 'settings'>,
  tenantId: string,
  type: MessageConnectorType,
): Promise<{ id: string; factoryId: string; config: ConnectorConfig } | null> {
  const [row] = await messageConnectorQuery(db, tenantId, type)
  if (row) {
    const { id, connectorId, config } = await openConnector(seals, row)
    return { id, factoryId: connectorId, config }
  }
  return settings.environment === 'development' ? { id: DEV_INBOX, factoryId: DEV_INBOX, config: {} } : null
}

/** Rows of one type: at most one, as the others go when one is created (contract 8.2). Its config is still sealed. */
export const messageConnectorQuery = (db: Database, tenantId: string, type: MessageConnectorType) =>
  db
    .select()
    .from(connectors)
    .where(and(eq(connectors.tenantId, tenantId), inArray(connectors.connectorId, messageFactoryIds(type))))
    .orderBy(asc(connectors.createdAt), asc(connectors.id))
    .limit(1)

/** For a batch with other questions. Configs are still sealed. */
export const connectorsQuery = (db: Database, tenantId: string) =>
  db
    .select()
    .from(connectors)
    .where(eq(connectors.tenantId, tenantId))
    .orderBy(asc(connectors.createdAt), asc(connectors.id))

/** One of them, for a batch with other questions. Its config is still sealed. */
export const connectorQuery = (db: Database, tenantId: string, id: string) =>
  db.select().from(connectors).where(is(tenantId, id))

/** A connector as deciding a submit needs it (contract 2.4). */
export type InstalledSocial = { id: string; target: string; syncProfile: boolean }

/** Those one can sign in with. */
export async function listSocial(db: Database, tenantId: string): Promise<readonly InstalledSocial[]> {
  return (await connectorsQuery(db, tenantId)).flatMap((row) => {
    const target = targetOf(row)
    return target ? [{ id: row.id, target, syncProfile: row.syncProfile }] : []
  })
}

/** What a social connector's identities are filed under; null for one that sends messages. */
export const targetOf = ({
  connectorId,
  metadata,
}: Pick<Connector, 'connectorId' | 'metadata'>): string | null => {
  const row = findSocialRow(connectorId)
  return row && (metadata.target ?? row.target)
}

/** Before an insert or a patch: a statement of a batch cannot wait for it. Bound to this row. */
export async function sealConfig(
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  id: string,
  config: ConnectorConfig,
): Promise<SealedConfig> {
  return { sealed: await seals.seal(connectorLabel(tenantId, id), config) }
}

/** After a statement that answered a row. */
export async function openConnector(seals: Seals, row: Connector): Promise<Connector> {
  const config = await configOf(seals, row)
  if (!config) {
    throw new Error(
      `The configuration of connector ${row.id} does not open: ROOT_SECRET has changed. Set ROOT_SECRET_PREVIOUS to the old one.`,
    )
  }
  return { ...row, config }
}

/** For operators: one whose secret is gone has no configuration, and can be given another. */
export const openOrEmpty = async (seals: Seals, row: Connector): Promise<Connector> => ({
  ...row,
  config: (await configOf(seals, row)) ?? {},
})

async function configOf(seals: Seals, { tenantId, id, config }: Connector): Promise<ConnectorConfig | null> {
  const { sealed } = config
  const opened = typeof sealed === 'string' ? await seals.open(connectorLabel(tenantId, id), sealed) : null
  return isConfig(opened) ? opened : null
}

/** For the batch of a change and its audit row (decision 19); so are the statements below. */
export const insertConnector = (db: Database, tenantId: string, connector: NewConnector) =>
  db
    .insert(connectors)
    .values({
      tenantId,
      id: connector.id,
      syncProfile: connector.syncProfile,
      connectorId: connector.connectorId,
      config: connector.config,
      metadata: connector.metadata,
      createdAt: connector.createdAt,
    })
    .returning()

/** What is given replaces what was there (contract 8.1). At least one change must be given. */
export const patchConnector = (db: Database, tenantId: string, id: string, changes: ConnectorChanges) =>
  db.update(connectors).set(changes).where(is(tenantId, id)).returning()

export const deleteConnector = (db: Database, tenantId: string, id: string) =>
  db.delete(connectors).where(is(tenantId, id)).returning()

/** As a condition for other statements of a batch. */
export const isConnector = (tenantId: string, id: string): SQL =>
  sql`exists (select 1 from ${connectors} where ${is(tenantId, id)})`

export const CONNECTOR_ID_TAKEN = 'connectors.tenant_id, connectors.id'

/** A new e-mail or SMS connector takes the place of the others of its type (contract 8.2). */
export const deleteOthersOfType = (
  db: Database,
  tenantId: string,
  { id, type }: { id: string; type: MessageConnectorType },
) =>
  db
    .delete(connectors)
    .where(
      and(
        eq(connectors.tenantId, tenantId),
        ne(connectors.id, id),
        inArray(connectors.connectorId, messageFactoryIds(type)),
      ),
    )
    .returning({ id: connectors.id })

const is = (tenantId: string, id: string) => and(eq(connectors.tenantId, tenantId), eq(connectors.id, id))
/** A configuration opens in its own row alone. */
export const connectorLabel = (tenantId: string, id: string) => `connector/${tenantId}/${id}`

const isConfig = (value: unknown): value is ConnectorConfig =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
