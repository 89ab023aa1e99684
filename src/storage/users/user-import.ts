import { getTableColumns, sql } from 'drizzle-orm'
import { type PortableUserField, portableUserFields } from '../../contract/users/user-fields.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { isDomain } from '../passkeys/passkeys.ts'
import { logs, passkeys, roles, totpFactors, userIdentities, users, usersRoles } from '../tables.ts'
import type { UserRow } from './users.ts'

/**
 * Many users at once. Lists are sent as one JSON parameter each, because D1 takes a hundred parameters in a statement and
 * two megabytes in one of them (spec/storage#platform-limits).
 */

export type ImportedRow = Pick<
  UserRow,
  PortableUserField | 'passwordEncrypted' | 'passwordEncryptionMethod'
> & {
  roleIds: readonly string[]
  /** Sealed. */
  totp: string | null
  passkeys: readonly Omit<typeof passkeys.$inferSelect, 'tenantId' | 'userId'>[]
}

/** In bytes at most three times as many, and D1's limit is two million. */
const MAX_CHARACTERS = 500_000

/**
 * Inserts the users whose identifiers are still free and answers their ids, then gives them their roles and factors. Users
 * whose identifiers or passkeys were taken meanwhile are left out.
 */
export function insertImported(
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
          ? // `->` answers the JSON text null for what is not set.
            `nullif(given.value -> '${name}', 'null')`
          : `given.value ->> '${name}'`,
      ),
    ),
    sql`, `,
  )

/**
 * A conflict of identities, or of usernames in another case, would happen in a trigger, where ON CONFLICT has no effect,
 * so it is excluded beforehand; one of passkeys would leave a user without them. CROSS JOIN: from the given identities to the stored ones; otherwise every identity of the tenant
 * would be read for every user.
 *
 * A file that is imported again may bring back the id of a user who was deleted since: tokens of that time are revoked
 * (spec/accounts#import-identity, ADR-0052). Users who were given tokens are in the audit log; for the others nothing is
 * to be revoked, and the sweep of revoked users stays short.
 */
const insertUsers = (db: Database, tenantId: string, rows: string, now: number) =>
  db.all<{ id: string }>(sql`insert into ${users} (tenant_id, ${columnsOf(importedColumns)}, revoked_at)
    select ${tenantId}, ${valuesOf(importedColumns)},
      iif(exists (select 1 from ${logs} where ${logs.tenantId} = ${tenantId} and ${logs.userId} = given.value ->> 'id'),
        ${now}, null)
    from json_each(${rows}) as given
    where not exists (select 1 from json_each(given.value, '$.identities') as linked
      cross join ${userIdentities} on ${userIdentities.tenantId} = ${tenantId} and ${userIdentities.target} = linked.key
      and ${userIdentities.identityId} = linked.value ->> 'userId')
      and not exists (select 1 from json_each(given.value, '$.passkeys') as held cross join ${passkeys}
        on ${passkeys.tenantId} = ${tenantId} and ${passkeys.credentialId} = held.value ->> 'credentialId')
      and (json_array_length(given.value, '$.passkeys') = 0
        or ${isDomain(tenantId, sql`given.value ->> '$.passkeys[0].rpId'`)})
      and not exists (select 1 from ${users} where ${users.tenantId} = ${tenantId}
        and lower(${users.username}) = lower(given.value ->> 'username'))
    on conflict do nothing
    returning id`)

/** Of the users above, recognized by their time of creation: a user who took an id meanwhile is not changed. */
const insertRoles = (db: Database, tenantId: string, rows: string) =>
  db.run(sql`insert into ${usersRoles} (tenant_id, id, user_id, role_id)
    select ${tenantId}, given.value ->> 'id', ${users.id}, ${roles.id} from ${importedUsers(tenantId, rows)}
    cross join json_each(imported.value, '$.roles') as given
    cross join ${roles} on ${roles.tenantId} = ${tenantId} and ${roles.id} = given.value ->> 'roleId'
    where true
    on conflict do nothing`)

/** As old as the account: when an app was set up is not in an import, and it is not new to its user. */
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
      passkeyColumns.map(([name]) => `given.value ->> '${name}'`).join(', '),
    )} from ${importedUsers(tenantId, rows)}
    cross join json_each(imported.value, '$.passkeys') as given
    where true
    on conflict do nothing`)

const importedUsers = (tenantId: string, rows: string) =>
  sql`json_each(${rows}) as imported
    cross join ${users} on ${users.tenantId} = ${tenantId} and ${users.id} = imported.value ->> 'id'
      and ${users.createdAt} = imported.value ->> 'createdAt'`
