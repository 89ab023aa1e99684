import { type SQL, sql } from 'drizzle-orm'
import { index, primaryKey, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { jsonColumn, lengthLimits, payloadValue, tenantId, timeColumn } from '../columns.ts'

/** Sessions, grants, codes, tokens and interactions of the OpenID Provider (spec/storage#oidc-models). */
export const oidcModelInstances = sqliteTable(
  'oidc_model_instances',
  {
    tenantId: tenantId(),
    modelName: text('model_name').notNull(),
    /** The id, or its SHA-256 digest if the id itself gives access (spec/provider#token-digests). */
    id: text('id').notNull(),
    payload: jsonColumn<Record<string, unknown>>('payload').notNull(),
    expiresAt: timeColumn('expires_at').notNull(),
    consumedAt: timeColumn('consumed_at'),
    /**
     * The id of the request that last used the row. It is a separate column, because changing the payload rewrites the
     * entries of all indexes on payload values.
     */
    consumedBy: text('consumed_by'),
    accountId: payloadValue('account_id', '$.accountId'),
    grantId: payloadValue('grant_id', '$.grantId'),
    uid: payloadValue('uid', '$.uid'),
    userCode: payloadValue('user_code', '$.userCode'),
    sessionUid: payloadValue('session_uid', '$.sessionUid'),
    clientId: payloadValue('client_id', '$.clientId'),
  },
  (table) => {
    // The indexes are partial, because most rows lack most of these values and every index entry is billed as a row
    // written.
    const byValue = (name: string, column: SQLiteColumn) =>
      index(`oidc_model_instances_${name}`).on(table.tenantId, column, table.modelName).where(isSet(column))
    return [
      primaryKey({ columns: [table.tenantId, table.modelName, table.id] }),
      index('oidc_model_instances_expires_at').on(table.expiresAt),
      byValue('account_id', table.accountId),
      byValue('grant_id', table.grantId),
      byValue('uid', table.uid),
      byValue('user_code', table.userCode),
      // Version 0.1.0 ends sessions by this index. No later version uses it, so a migration of version 0.3.0 can drop it.
      byValue('session_uid', table.sessionUid),
      byValue('client_id', table.clientId),
      ...lengthLimits([table.modelName, 64], [table.id, 128]),
    ]
  },
)

const isSet = (column: SQLiteColumn): SQL => sql.raw(`"${column.name}" is not null`)
