import { getTableColumns, sql } from 'drizzle-orm'
import { type PortableUserField, portableUserFields } from '../../contract/users/user-fields.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { isPasskeyDomain } from '../passkeys/passkeys.ts'
import { logs, passkeys, roles, totpFactors, userIdentities, users, usersRoles } from '../tables.ts'
import type { UserRow } from './users.ts'

/**
 * Imports many users at once. Each list is sent as a single JSON parameter, because D1 allows a hundred parameters per
 * statement, each of up to two megabytes (spec/storage#platform-limits).
 */

export type ImportedRow = Pick<
  UserRow,
  PortableUserField | 'passwordEncrypted' | 'passwordEncryptionMethod'
> & {
  roleIds: readonly string[]
  /** The sealed secret of the authenticator app, or null. */
  totp: string | null
  passkeys: readonly Omit<typeof passkeys.$inferSelect, 'tenantId' | 'userId'>[]
}

/**
 * The characters that fit into one parameter. D1 limits a parameter to two million bytes, and a character takes at most
 * three bytes here.
 */
const MAX_CHARACTERS = 500_000

/**
 * Inserts the users whose identifiers are not taken and returns their ids, then assigns their roles and factors. Users
 * whose identifiers or passkeys have been taken in the meantime are left out.
 */
export function insertImportedUsers(
  db: Database,
  tenantId: string,
  { imported, now }: { imported: readonly ImportedRow[]; now: number },
) {
  const parts = partsOf(
    imported.map(({ roleIds, ...row }) =>
      JSON.stringify({ ...row, roles: roleIds.map((roleId) => ({ roleId, id: randomId() })) }),
    ),
  )
  return {
    users: parts.map((part) => insertUsers(db, tenantId, part, now)),
    roles: imported.some(({ roleIds }) => roleIds.length > 0)
      ? parts.map((part) => insertRoles(db, tenantId, part))
      : [],
    apps: imported.some(({ totp }) => totp !== null)
      ? parts.map((part) => insertApps(db, tenantId, part))
      : [],
    passkeys: imported.some((row) => row.passkeys.length > 0)
      ? parts.map((part) => insertPasskeys(db, tenantId, part))
      : [],
  }
}

function partsOf(rows: readonly string[]): string[] {
  const parts: string[][] = []
  let characters = Number.POSITIVE_INFINITY
  for (const row of rows) {
    characters += row.length
    if (characters > MAX_CHARACTERS) {
      parts.push([])
      characters = row.length
    }
    parts.at(-1)?.push(row)
  }
  return parts.map((part) => `[${part.join(',')}]`)
}

const importedColumns = [
  ...portableUserFields,
  'passwordEncrypted',
  'passwordEncryptionMethod',
] as const satisfies readonly (keyof ImportedRow)[]

const columnsOf = (names: typeof importedColumns) =>
  sql.join(
    names.map((name) => sql.identifier(users[name].name)),
    sql`, `,
  )

const valuesOf = (names: typeof importedColumns) =>
  sql.join(
    names.map((name) =>
      sql.raw(
        users[name].dataType === 'json'
          ? // `->` returns the JSON text `null` for a key with the value null.
            `nullif(entry.value -> '${name}', 'null')`
          : `entry.value ->> '${name}'`,
      ),
    ),
    sql`, `,
  )

/**
 * Inserts users. Conflicts of identities, and of usernames that differ only in case, are excluded beforehand, because
 * triggers detect them and ON CONFLICT has no effect in a trigger. Conflicts of passkeys are excluded too, because they
 * would leave a user without passkeys. CROSS JOIN makes SQLite start with the imported identities; otherwise, it would
 * read every identity of the tenant for every user. A file that is imported again may contain the id of a user who has
 * since been deleted, so the deleted user's tokens are revoked (spec/accounts#import-identity, ADR-0052). Only users
 * with tokens in the audit log are revoked, which keeps the sweep of revoked users short.
 */
const insertUsers = (db: Database, tenantId: string, rows: string, now: number) =>
  db.all<{ id: string }>(sql`insert into ${users} (tenant_id, ${columnsOf(importedColumns)}, revoked_at)
    select ${tenantId}, ${valuesOf(importedColumns)},
      iif(exists (select 1 from ${logs} where ${logs.tenantId} = ${tenantId} and ${logs.userId} = entry.value ->> 'id'),
        ${now}, null)
    from json_each(${rows}) as entry
    where not exists (select 1 from json_each(entry.value, '$.identities') as linked
      cross join ${userIdentities} on ${userIdentities.tenantId} = ${tenantId} and ${userIdentities.target} = linked.key
      and ${userIdentities.identityId} = linked.value ->> 'userId')
      and not exists (select 1 from json_each(entry.value, '$.passkeys') as passkey cross join ${passkeys}
        on ${passkeys.tenantId} = ${tenantId} and ${passkeys.credentialId} = passkey.value ->> 'credentialId')
      and (json_array_length(entry.value, '$.passkeys') = 0
        or ${isPasskeyDomain(tenantId, sql`entry.value ->> '$.passkeys[0].rpId'`)})
      and not exists (select 1 from ${users} where ${users.tenantId} = ${tenantId}
        and lower(${users.username}) = lower(entry.value ->> 'username'))
    on conflict do nothing
    returning id`)

/**
 * Assigns roles to the users that this import has inserted. Their creation time identifies them, so a different user
 * who has taken one of the ids in the meantime is not changed.
 */
const insertRoles = (db: Database, tenantId: string, rows: string) =>
  db.run(sql`insert into ${usersRoles} (tenant_id, id, user_id, role_id)
    select ${tenantId}, entry.value ->> 'id', ${users.id}, ${roles.id} from ${importedUsers(tenantId, rows)}
    cross join json_each(imported.value, '$.roles') as entry
    cross join ${roles} on ${roles.tenantId} = ${tenantId} and ${roles.id} = entry.value ->> 'roleId'
    where true
    on conflict do nothing`)

/**
 * Adds authenticator apps with the creation times of their accounts. An import does not contain the time when an app
 * was set up, and the app is not new to its user.
 */
const insertApps = (db: Database, tenantId: string, rows: string) =>
  db.run(sql`insert into ${totpFactors} (tenant_id, user_id, secret, created_at)
    select ${tenantId}, ${users.id}, imported.value ->> 'totp', ${users.createdAt} from ${importedUsers(tenantId, rows)}
    where imported.value ->> 'totp' is not null
    on conflict do nothing`)

const passkeyColumns = Object.entries(getTableColumns(passkeys)).filter(
  ([name]) => name !== 'tenantId' && name !== 'userId',
)

const insertPasskeys = (db: Database, tenantId: string, rows: string) =>
  db.run(sql`insert into ${passkeys} (tenant_id, user_id, ${sql.join(
    passkeyColumns.map(([, column]) => sql.identifier(column.name)),
    sql`, `,
  )})
    select ${tenantId}, ${users.id}, ${sql.raw(
      passkeyColumns.map(([name]) => `entry.value ->> '${name}'`).join(', '),
    )} from ${importedUsers(tenantId, rows)}
    cross join json_each(imported.value, '$.passkeys') as entry
    where true
    on conflict do nothing`)

/**
 * Matches the users that this import has inserted. Like `insertRoles`, it compares their creation times. The statement
 * selects from the table of users.
 */
export const wasImported = (imported: readonly Pick<ImportedRow, 'id' | 'createdAt'>[]): Condition =>
  sql`exists (select 1 from json_each(${JSON.stringify(imported.map(({ id, createdAt }) => [id, createdAt]))}) as imported
    where imported.value ->> 0 = ${users.id} and imported.value ->> 1 = ${users.createdAt})`

const importedUsers = (tenantId: string, rows: string) =>
  sql`json_each(${rows}) as imported
    cross join ${users} on ${users.tenantId} = ${tenantId} and ${users.id} = imported.value ->> 'id'
      and ${users.createdAt} = imported.value ->> 'createdAt'`
