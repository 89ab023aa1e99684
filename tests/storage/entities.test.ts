import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, SQLiteSyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import * as tables from '../../src/storage/tables.ts'

/**
 * Compares the tables with the entities of the original specification. A field is written as in the specification: a
 * question mark stands for "nullable", and a number for "max". `schema.test.ts` compares the tables with the database.
 */
const entities: { entity: string; table: SQLiteTable; fields: string }[] = [
  {
    entity: 'application',
    table: tables.applications,
    fields:
      'id 21, name 256, secret 64, description ?, type, oidcClientMetadata, customClientMetadata, createdAt',
  },
  { entity: 'applications_roles', table: tables.applicationsRoles, fields: 'id, applicationId, roleId' },
  {
    entity: 'connector',
    table: tables.connectors,
    fields: 'id 128, syncProfile, connectorId 128, config, metadata, createdAt',
  },
  { entity: 'custom_phrase', table: tables.customPhrases, fields: 'id, languageTag 16, translation' },
  { entity: 'hook', table: tables.hooks, fields: 'id, event, config, createdAt' },
  { entity: 'log', table: tables.logs, fields: 'id, key 128, payload, createdAt' },
  { entity: 'system config entry', table: tables.configs, fields: 'key 256, value' },
  {
    entity: 'oidc_model_instance',
    table: tables.oidcModelInstances,
    fields: 'modelName 64, id 128, payload, expiresAt, consumedAt ?, userCode ?, uid ?, grantId ?',
  },
  {
    entity: 'passcode',
    table: tables.passcodes,
    fields: 'id, interactionJti 128?, phone 32?, email 128?, type, code 6, consumed, tryCount, createdAt',
  },
  { entity: 'resource', table: tables.resources, fields: 'id, name, indicator, accessTokenTtl' },
  { entity: 'role', table: tables.roles, fields: 'id, name 128, description 128' },
  { entity: 'roles_scopes', table: tables.rolesScopes, fields: 'id, roleId, scopeId' },
  { entity: 'scope', table: tables.scopes, fields: 'id, resourceId, name 256, description, createdAt' },
  { entity: 'service_log', table: tables.serviceLogs, fields: 'id, type 64, payload, createdAt' },
  {
    entity: 'sign_in_experience',
    table: tables.signInExperiences,
    fields:
      'id, color, branding, languageInfo, termsOfUseUrl 2048?, privacyPolicyUrl 2048?, signIn, signUp, socialSignInConnectorTargets, signInMode, customCss ?, customContent',
  },
  {
    entity: 'user',
    table: tables.users,
    // ADR-0171 explains the length of `passwordEncrypted`.
    fields:
      'id 12, username 128?, primaryEmail 128?, primaryPhone 128?, passwordEncrypted 512?, name 128?, passwordEncryptionMethod ?, avatar 2048?, applicationId ?, identities, customData, isSuspended, lastSignInAt ?, createdAt',
  },
  { entity: 'users_roles', table: tables.usersRoles, fields: 'id, userId, roleId' },
  { entity: 'verification_status', table: tables.verificationStatuses, fields: 'id, userId, createdAt' },
]

const dialect = new SQLiteSyncDialect()

/** Returns the maximum length of each column that a CHECK limits, by the name of the column. */
const lengthsOf = (table: SQLiteTable) =>
  Object.fromEntries(
    getTableConfig(table).checks.flatMap(({ value }) => {
      const [, column = '', length] = /^length\("(\w+)"\) <= (\d+)$/.exec(dialect.sqlToQuery(value).sql) ?? []
      return column ? [[column, length]] : []
    }),
  )

it.each(entities)(
  'the entity $entity has the fields, lengths and nullable values of the specification',
  ({ table, fields }) => {
    const columns = getTableColumns(table)
    const lengths = lengthsOf(table)
    for (const field of fields.split(', ')) {
      const [name = '', limit = ''] = field.split(' ')
      const column = columns[name]
      expect(column, name).toBeDefined()
      const length = limit.replace('?', '')
      if (length !== '') expect([name, lengths[column?.name ?? '']]).toEqual([name, length])
      if (limit.endsWith('?')) expect([name, column?.notNull]).toEqual([name, false])
    }
  },
)

it('"all stored entities also carry a tenant identifier of at most 21 characters"', () => {
  expect(lengthsOf(tables.tenants)).toEqual({ id: '21' })
  for (const { entity, table } of entities) {
    expect([entity, getTableColumns(table).tenantId?.notNull]).toEqual([entity, true])
    const references = getTableConfig(table).foreignKeys.map((key) => key.reference())
    expect([entity, references.some(({ foreignTable }) => foreignTable === tables.tenants)]).toEqual([
      entity,
      true,
    ])
  }
})
