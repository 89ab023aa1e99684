import type { ReadTogether, Statement } from '../../storage/batches.ts'
import { type Database, retryOnce } from '../../storage/database.ts'
import {
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
  userQuery,
} from '../../storage/interactions/oidc-reads.ts'
import type { UserRow } from '../../storage/users/users.ts'
import {
  type AuthorizationFacts,
  createAuthorizationFacts,
  type PrefetchedFacts,
} from '../interactions/authorization-facts.ts'

/** Reads the rows of one request to the provider and caches them. A row is read together with the rows it refers to. */
export type ModelReader = AuthorizationFacts & {
  /** Reads a row, and `prefetch` in the same batch. */
  read(modelName: string, id: string, prefetch?: Prefetch): Promise<ModelRow | null>
  readByProperty(modelName: string, property: 'uid' | 'userCode', value: string): Promise<ModelRow | null>
  user(id: string): Promise<UserRow | null>
  /** Returns a cached row, null if the row was removed or does not exist, or undefined if it was not read. */
  cached(modelName: string, id: string): ModelRow | null | undefined
  /** Treats the row as removed for the rest of the request. */
  forget(modelName: string, id: string): void
}

/**
 * What a request will read in addition to the first row that the library asks for. Everything is read in one batch
 * (ADR-0066).
 */
export type Prefetch = PrefetchedFacts & {
  /**
   * The statements at the beginning of the batch. They write an interaction that exists only in the browser's cookie so
   * far (spec/storage#unwritten-interactions).
   */
  creation: readonly Statement[]
  /** The rows that the library will request next. */
  rows: readonly { modelName: string; id: string }[]
  /**
   * The requesting application, if known. Of a session's grants, the library needs only the one for this application.
   */
  clientId?: string | undefined
}

export const emptyPrefetch: Prefetch = { creation: [], rows: [], resources: [], thirdParty: undefined }

export function createModelReader(db: Database, tenantId: string, readTogether: ReadTogether): ModelReader {
  const rows = new Map<string, ModelRow | null>()
  const users = new Map<string, UserRow | null>()
  const { facts, queries, remember } = createAuthorizationFacts(db, tenantId, readTogether)

  const name = (modelName: string, id: string) => `${modelName}:${id}`

  async function readRows(requested: ModelKey, prefetch: Prefetch): Promise<void> {
    const keys = [requested, ...prefetch.rows.map((row) => ({ tenantId, ...row }))]
    const related = keys.map((key) => neighbourQueries(db, key, prefetch))
    const read = () =>
      readTogether({
        creation: prefetch.creation,
        models: related.flatMap(({ users: _users, ...models }) => Object.values(models)),
        users: related.flatMap(({ users: owners }) => owners),
        ...queries(keys, prefetch),
      })
    const results = await (prefetch.creation.length > 0 ? retryOnce(read) : read())
    for (const { modelName, id } of keys) rows.set(name(modelName, id), null)
    for (const row of results.models) rows.set(name(row.modelName, row.id), row)
    for (const user of results.users) users.set(user.id, user)
    remember(results, results.models, prefetch)
  }

  return {
    ...facts,

    async read(modelName, id, prefetch = emptyPrefetch) {
      const cached = rows.get(name(modelName, id))
      if (cached !== undefined) return cached
      await readRows({ tenantId, modelName, id }, prefetch)
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

    cached: (modelName, id) => rows.get(name(modelName, id)),
    forget: (modelName, id) => void rows.set(name(modelName, id), null),
  }
}

/** Returns the queries for a row and the rows it refers to. */
function neighbourQueries(db: Database, key: ModelKey, { clientId }: Prefetch) {
  switch (key.modelName) {
    case 'AuthorizationCode':
    case 'RefreshToken':
    case 'AccessToken':
      return tokenQueries(db, key)
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
