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
    // The indexes are partial, because every index entry is billed as a row written. Expired rows are found by scanning
    // (spec/storage#scanned-tables).
    const byValue = (name: string, column: SQLiteColumn, condition = isSet(column)) =>
      index(`oidc_model_instances_${name}`).on(table.tenantId, column, table.modelName).where(condition)
    // Codes and tokens end with their grant and are found only by their keys (ADR-0190). A query has to repeat the
    // condition `grant_id is null` to use these indexes.
    const ofOwner = (column: SQLiteColumn) =>
      sql`${isSet(column)} and ${sql.raw(`"${table.grantId.name}"`)} is null`
    return [
      primaryKey({ columns: [table.tenantId, table.modelName, table.id] }),
      byValue('owner', table.accountId, ofOwner(table.accountId)),
      byValue('owner_client', table.clientId, ofOwner(table.clientId)),
      byValue('uid', table.uid),
      byValue('user_code', table.userCode),
      ...lengthLimits([table.modelName, 64], [table.id, 128]),
    ]
  },
)

const isSet = (column: SQLiteColumn): SQL => sql.raw(`"${column.name}" is not null`)
