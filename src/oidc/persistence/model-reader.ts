import { claimedRoleNames } from '../../domain/access/administration.ts'
import { roleNamesQuery } from '../../storage/access/roles.ts'
import {
  listStatements,
  nameRows,
  type ReadTogether,
  type RowsByName,
  type Statement,
} from '../../storage/batches.ts'
import { type Database, retryOnce } from '../../storage/database.ts'
import {
  isGrantedModel,
  type ModelKey,
  type ModelRow,
  modelByPropertyQuery,
  modelQuery,
} from '../../storage/interactions/oidc-models.ts'
import {
  grantQueries,
  resumeQueries,
  sessionQueries,
  tokenQueries,
  tokenWithRolesQuery,
  userQuery,
} from '../../storage/interactions/oidc-reads.ts'
import { grantWithScopesQuery } from '../../storage/interactions/organization-reads.ts'
import type { UserRow } from '../../storage/users/users.ts'
import {
  type AuthorizationFacts,
  createAuthorizationFacts,
  type PrefetchedFacts,
} from '../interactions/authorization-facts.ts'
import type { GrantRow } from '../interactions/organization-facts.ts'

/**
 * Reads and caches the rows for one request to the provider. A row is read together with the rows to which it refers.
 */
export type ModelReader = AuthorizationFacts & {
  /** Returns queries for rows and for everything in `prefetch`. The caller sends them with its own. */
  preload(keys: readonly Omit<ModelKey, 'tenantId'>[], prefetch: Prefetch): Preload
  /** Replaces a row or a user by what the caller writes in the batch of this request. */
  assume(row: ModelRow, user: UserRow): void
  /** Reads a row, together with everything in `prefetch`. */
  read(modelName: string, id: string, prefetch?: Prefetch): Promise<ModelRow | null>
  readByProperty(modelName: string, property: 'uid' | 'userCode', value: string): Promise<ModelRow | null>
  user(id: string): Promise<UserRow | null>
  /**
   * Returns the names of a user's roles, without internal ones. If a code or token has the scope `roles`, they are read
   * together with it.
   */
  roleNames(userId: string): Promise<readonly string[]>
  /** Returns a cached row, null if the row does not exist or was removed, or undefined if it has not been read. */
  cached(modelName: string, id: string): ModelRow | null | undefined
  /** Treats a row as removed for the rest of the request. */
  forget(modelName: string, id: string): void
}

/**
 * The data that a request will need in addition to the first row that the library requests. Everything is read in one
 * batch (ADR-0066).
 */
export type Prefetch = PrefetchedFacts & {
  /**
   * Statements at the beginning of the batch that create the row of an interaction which so far exists only in the
   * browser's cookie (spec/storage#unwritten-interactions).
   */
  creation: readonly Statement[]
  /** The rows that the library will request next. */
  rows: readonly { modelName: string; id: string }[]
  /**
   * The id of the requesting application, if known. The library needs only this application's grant, not the session's
   * other grants.
   */
  clientId?: string | undefined
}

/** A row with what was read together with it. */
type JoinedRow = ModelRow & { roleNames?: string[] | null } & Pick<GrantRow, 'memberScopes'>

/** Queries whose results the reader caches. */
type Preload = { statements: readonly Statement[]; remember(results: readonly unknown[]): void }

export const emptyPrefetch: Prefetch = { creation: [], rows: [], resources: [], thirdParty: undefined }

export function createModelReader(db: Database, tenantId: string, readTogether: ReadTogether): ModelReader {
  const rows = new Map<string, ModelRow | null>()
  const users = new Map<string, UserRow | null>()
  const roleNames = new Map<string, readonly string[]>()
  const { facts, queries, remember } = createAuthorizationFacts(db, tenantId, readTogether)

  const name = (modelName: string, id: string) => `${modelName}:${id}`

  /** Returns queries for rows, and a function that caches their results. */
  function queriesFor(requested: readonly Omit<ModelKey, 'tenantId'>[], prefetch: Prefetch) {
    const keys = requested.map((key) => ({ ...key, tenantId }))
    const related = keys.map((key) => neighbourQueries(db, key, prefetch))
    const all = {
      creation: prefetch.creation,
      models: related.flatMap(({ users: _users, ...models }) => Object.values(models)),
      users: related.flatMap(({ users: owners }) => owners),
      ...queries(keys, prefetch),
    }
    return {
      all,
      rememberRows(results: RowsByName<typeof all>) {
        for (const { modelName, id } of keys) rows.set(name(modelName, id), null)
        const models: readonly JoinedRow[] = results.models
        for (const { roleNames: namesOfRoles, memberScopes: _scopes, ...row } of models) {
          rows.set(name(row.modelName, row.id), row)
          if (namesOfRoles && row.accountId) roleNames.set(row.accountId, claimedRoleNames(namesOfRoles))
        }
        for (const { modelName, grantId } of models) {
          if (!isGrantedModel(modelName) || grantId === null) continue
          const grant = name('Grant', grantId)
          if (!rows.has(grant)) rows.set(grant, null)
        }
        for (const user of results.users) users.set(user.id, user)
        remember(results, models, prefetch)
      },
    }
  }

  async function readRows(key: Omit<ModelKey, 'tenantId'>, prefetch: Prefetch): Promise<void> {
    const { all, rememberRows } = queriesFor([key, ...prefetch.rows], prefetch)
    const read = () => readTogether(all)
    rememberRows(await (prefetch.creation.length > 0 ? retryOnce(read) : read()))
  }

  return {
    ...facts,

    preload(keys, prefetch) {
      const { all, rememberRows } = queriesFor(keys, prefetch)
      return {
        statements: listStatements(all),
        remember: (results) => rememberRows(nameRows(all, results)),
      }
    },

    assume(row, user) {
      rows.set(name(row.modelName, row.id), row)
      users.set(user.id, user)
    },

    async read(modelName, id, prefetch = emptyPrefetch) {
      const cached = rows.get(name(modelName, id))
      if (cached !== undefined) return cached
      await readRows({ modelName, id }, prefetch)
      return rows.get(name(modelName, id)) ?? null
    },

    async readByProperty(modelName, property, value) {
      for (const row of rows.values()) {
        if (row?.modelName === modelName && row[property] === value) return row
      }
      const [row] = await modelByPropertyQuery(db, tenantId, modelName, property, value)
      if (row) rows.set(name(modelName, row.id), row)
      return row ?? null
    },

    async user(id) {
      const cached = users.get(id)
      if (cached !== undefined) return cached
      const [user = null] = await userQuery(db, tenantId, id)
      users.set(id, user)
      return user
    },

    async roleNames(userId) {
      const cached = roleNames.get(userId)
      if (cached) return cached
      const { roles } = await readTogether({ roles: roleNamesQuery(db, tenantId, userId) })
      const names = claimedRoleNames(roles.map((role) => role.name))
      roleNames.set(userId, names)
      return names
    },

    cached: (modelName, id) => rows.get(name(modelName, id)),
    forget: (modelName, id) => void rows.set(name(modelName, id), null),
  }
}

/** Returns the queries for a row and the rows to which it refers. */
function neighbourQueries(db: Database, key: ModelKey, { clientId }: Prefetch) {
  switch (key.modelName) {
    case 'AuthorizationCode':
    case 'RefreshToken':
      return {
        ...tokenQueries(db, key),
        model: tokenWithRolesQuery(db, key),
        grants: grantWithScopesQuery(db, key),
      }
    case 'AccessToken':
      return { ...tokenQueries(db, key), model: tokenWithRolesQuery(db, key) }
    case 'Session':
      return sessionQueries(db, key, clientId)
    case 'Interaction':
      return resumeQueries(db, key)
    case 'Grant':
      return grantQueries(db, key)
    default:
      return { model: modelQuery(db, key), users: [] }
  }
}
