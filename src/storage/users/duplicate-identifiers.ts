import { type SQL, sql } from 'drizzle-orm'
import type { ImportCandidate, TakenIdentifiers } from '../../domain/users/user-import.ts'
import { digestUserId, erasedIdsQuery } from '../account/erasures.ts'
import { readTogether } from '../batches.ts'
import type { Database } from '../database.ts'
import { passkeys, roles, userIdentities, users } from '../tables.ts'

/** Reads which identifiers are already taken, and the ids of the named roles, in one round trip. */
export async function readTakenIdentifiers(
  db: Database,
  tenantId: string,
  candidates: readonly ImportCandidate[],
): Promise<{ taken: TakenIdentifiers; roleIds: Map<string, string> }> {
  const valuesOf = (name: 'id' | 'username' | 'email' | 'phone') =>
    candidates.flatMap((candidate) => candidate[name] ?? [])
  const identities = candidates.flatMap((candidate) => Object.entries(candidate.identities))
  const roleNames = [...new Set(candidates.flatMap((candidate) => candidate.roleNames))]

  const digests = await Promise.all(
    valuesOf('id').map(async (id) => ({ id, digest: await digestUserId(tenantId, id) })),
  )
  const { erased, ...lists } = await readTogether(db, {
    erased: erasedIdsQuery(
      db,
      tenantId,
      digests.map(({ digest }) => digest),
    ),
    ...takenIdentifierQueries(db, tenantId, {
      ids: valuesOf('id'),
      usernames: valuesOf('username'),
      emails: valuesOf('email'),
      phones: valuesOf('phone'),
      identities,
      roleNames,
      credentialIds: candidates.flatMap((candidate) => candidate.passkeys),
    }),
  })
  const erasedDigests = new Set(erased.map(({ digest }) => digest))
  const values = (rows: readonly { value: string | null }[]) => rows.flatMap(({ value }) => value ?? [])
  return {
    taken: {
      users: lists.users.map(({ identities, ...user }) => ({
        ...user,
        identities: Object.fromEntries(
          Object.entries(identities).map(([target, { userId }]) => [target, userId]),
        ),
      })),
      usernames: values(lists.usernames),
      emails: values(lists.emails),
      phones: values(lists.phones),
      identities: lists.identities,
      passkeys: lists.passkeys.map(({ id }) => id),
      erasedIds: digests.flatMap(({ id, digest }) => (erasedDigests.has(digest) ? [id] : [])),
    },
    roleIds: new Map(lists.roles.map(({ name, id }) => [name, id])),
  }
}

type RequestedIdentifiers = {
  ids: readonly string[]
  usernames: readonly string[]
  emails: readonly string[]
  phones: readonly string[]
  identities: readonly (readonly [target: string, id: string])[]
  roleNames: readonly string[]
  credentialIds: readonly string[]
}

export function takenIdentifierQueries(
  db: Database,
  tenantId: string,
  { ids, usernames, emails, phones, identities, roleNames, credentialIds }: RequestedIdentifiers,
) {
  const where = (column: SQL, list: SQL) =>
    db
      .select({ value: sql<string | null>`${column}`.as('value') })
      .from(users)
      .where(sql`${users.tenantId} = ${tenantId} and ${column} in (${list})`)
  return {
    users: db
      .select({
        id: users.id,
        username: users.username,
        email: users.primaryEmail,
        phone: users.primaryPhone,
        identities: users.identities,
      })
      .from(users)
      .where(sql`${users.tenantId} = ${tenantId} and ${users.id} in (${listOf(ids)})`),
    usernames: where(
      sql`lower(${users.username})`,
      sql`select lower(value) from json_each(${JSON.stringify(usernames)})`,
    ),
    emails: where(
      sql`lower(${users.primaryEmail})`,
      sql`select lower(value) from json_each(${JSON.stringify(emails)})`,
    ),
    phones: where(sql`${users.primaryPhone}`, listOf(phones)),
    identities: db
      .select({ target: userIdentities.target, identityId: userIdentities.identityId })
      .from(userIdentities)
      .where(
        sql`${userIdentities.tenantId} = ${tenantId} and (${userIdentities.target}, ${userIdentities.identityId}) in
          (select json_extract(value, '$[0]'), json_extract(value, '$[1]') from json_each(${JSON.stringify(identities)}))`,
      ),
    passkeys: db
      .select({ id: passkeys.credentialId })
      .from(passkeys)
      .where(
        sql`${passkeys.tenantId} = ${tenantId} and ${passkeys.credentialId} in (${listOf(credentialIds)})`,
      ),
    roles: db
      .select({ id: roles.id, name: roles.name })
      .from(roles)
      .where(sql`${roles.tenantId} = ${tenantId} and ${roles.name} in (${listOf(roleNames)})`),
  }
}

const listOf = (values: readonly string[]) => sql`select value from json_each(${JSON.stringify(values)})`
