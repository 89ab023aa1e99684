import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { portableUserFields } from '../../contract/users/user-fields.ts'
import type { ImportedPasskey } from '../../contract/users/user-import.schema.ts'
import { pick } from '../../domain/pick.ts'
import type { Database } from '../database.ts'
import { users } from '../tables.ts'
import { userColumns } from './users.ts'

/**
 * The maximum number of characters of custom data, identities, profiles and passkeys per page; a page has at least one
 * user. Five hundred users with the maximum amount of data would take 33 MB of an isolate's 128 MB.
 */
const MAX_CHARACTERS = 4_000_000

const flag = (column: string) => `json(iif(${column}, 'true', 'false'))`

/** A passkey in the format that an import accepts. Unknown flags are null. */
const exportedPasskey = Object.entries({
  id: 'credential_id',
  publicKey: 'public_key',
  counter: 'counter',
  transports: 'json(transports)',
  aaguid: 'aaguid',
  name: 'name',
  rpId: 'rp_id',
  isBackupEligible: `iif(provenance is 'importedWithoutFlags', null, ${flag('is_backup_eligible')})`,
  isBackedUp: flag('is_backed_up'),
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
  isSecondFactor: flag('is_second_factor'),
} satisfies Record<keyof ImportedPasskey, string>)
  .map(([name, value]) => `'${name}', ${value}`)
  .join(', ')

/** The maximum number of characters of a passkey apart from its id and key. */
const PASSKEY_CHARACTERS = 800

/** The range of an export. `totpSecret` is selected only if `withTotpSecrets` is set, and is sealed. */
export type ExportRange = { after: string; limit: number; withTotpSecrets: boolean }

/**
 * Selects users with the names of their roles, ordered by id so that every page costs the same. `last` is the last id
 * of a page that may contain one more user: if it equals the last id of this page, this page is the last one.
 */
export const exportQuery = (
  db: Database,
  tenantId: string,
  { after, limit, withTotpSecrets }: ExportRange,
) => {
  const ahead = sql`(select id, length(custom_data) + length(identities) + length(profile) + (
      select ifnull(sum(length(credential_id) + length(public_key) + ${PASSKEY_CHARACTERS}), 0) from passkeys
      where passkeys.tenant_id = users.tenant_id and passkeys.user_id = users.id) as characters
    from users where tenant_id = ${tenantId} and id > ${after} order by id limit ${limit + 1}) as ahead`
  // The rows are already ordered by id; with ORDER BY, libSQL would sort them again.
  const end = sql`(select max(id) from (select id, row_number() over () as place,
      sum(characters) over (rows unbounded preceding) as characters
      from ${ahead}) as measured
    where place = 1 or (place <= ${limit} and characters <= ${MAX_CHARACTERS}))`
  return db
    .select({
      ...pick(userColumns, portableUserFields),
      // Table names are written out, because drizzle omits them in a single-table SELECT.
      roleNames: sql`(select json_group_array(roles.name) from users_roles
        cross join roles on roles.tenant_id = users_roles.tenant_id and roles.id = users_roles.role_id
        where users_roles.tenant_id = users.tenant_id and users_roles.user_id = users.id)`
        .mapWith((names: string): string[] => JSON.parse(names))
        .as('role_names'),
      passkeys:
        sql`(select nullif(json_group_array(json_object(${sql.raw(exportedPasskey)})), '[]') from passkeys
        where passkeys.tenant_id = users.tenant_id and passkeys.user_id = users.id)`
          .mapWith((list: string): ImportedPasskey[] => JSON.parse(list))
          .as('held_passkeys'),
      totpSecret: sql<string | null>`${
        withTotpSecrets
          ? sql`(select secret from totp_factors
              where totp_factors.tenant_id = users.tenant_id and totp_factors.user_id = users.id)`
          : sql`null`
      }`.as('totp_secret'),
      last: sql<string>`(select max(id) from ${ahead})`.as('last'),
    })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), gt(users.id, after), lte(users.id, end)))
    .orderBy(asc(users.id))
}
