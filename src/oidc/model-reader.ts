import type { RowsByName, Statement, Statements } from '../storage/batches.ts'
import { type Database, repeatOnce } from '../storage/database.ts'
import { type ModelKey, type ModelRow, modelByPropertyQuery, modelQuery } from '../storage/oidc-models.ts'
import { resumeQueries, sessionQueries, tokenQueries, userQuery } from '../storage/oidc-reads.ts'
import type { UserRow } from '../storage/users.ts'

/** The rows that one request to the provider has read. A row is read together with those it refers to. */
export type ModelReader = {
  /** `creation` is sent first, in the same batch. */
  read(modelName: string, id: string, creation?: readonly Statement[]): Promise<ModelRow | null>
  readByProperty(modelName: string, property: 'uid' | 'userCode', value: string): Promise<ModelRow | null>
  user(id: string): Promise<UserRow | null>
  /** Read before, or removed: null where the row is not there. Undefined: not read. */
  known(modelName: string, id: string): ModelRow | null | undefined
  /** From now on the row is not there. */
  forget(modelName: string, id: string): void
}

/** Models whose rows are read together with grant, session and account. */
const tokenModels = new Set(['AuthorizationCode', 'RefreshToken', 'AccessToken'])

/** Reads several things in one round trip. */
export type ReadTogether = <const S extends Statements>(queries: S) => Promise<RowsByName<S>>

export function createModelReader(db: Database, tenantId: string, readTogether: ReadTogether): ModelReader {
  const rows = new Map<string, ModelRow | null>()
  const users = new Map<string, UserRow | null>()

  const name = (modelName: string, id: string) => `${modelName}:${id}`
  const remember = (models: readonly ModelRow[], accounts: readonly UserRow[] = []) => {
    for (const row of models) rows.set(name(row.modelName, row.id), row)
    for (const user of accounts) users.set(user.id, user)
  }

  async function fetchWithNeighbours(wanted: ModelKey, creation: readonly Statement[]): Promise<ModelRow[]> {
    if (tokenModels.has(wanted.modelName)) {
      const found = await readTogether(tokenQueries(db, wanted))
      remember([...found.model, ...found.grants, ...found.sessions], found.users)
      return found.model
    }
    if (wanted.modelName === 'Session' || wanted.modelName === 'Interaction') {
      const queries = wanted.modelName === 'Session' ? sessionQueries : resumeQueries
      const read = () => readTogether({ creation, ...queries(db, wanted) })
      const found = await (creation.length > 0 ? repeatOnce(read) : read())
      remember([...found.model, ...found.grants], found.users)
      return found.model
    }
    return (await readTogether({ model: modelQuery(db, wanted) })).model
  }

  return {
    async read(modelName, id, creation = []) {
      const known = rows.get(name(modelName, id))
      if (known !== undefined) return known
      const [row = null] = await fetchWithNeighbours({ tenantId, modelName, id }, creation)
      rows.set(name(modelName, id), row)
      return row
    },

    async readByProperty(modelName, property, value) {
      for (const row of rows.values()) {
        if (row?.modelName === modelName && row[property] === value) return row
      }
      const [row] = await modelByPropertyQuery(db, tenantId, modelName, property, value)
      if (row) remember([row])
      return row ?? null
    },

    async user(id) {
      const known = users.get(id)
      if (known !== undefined) return known
      const [user = null] = await userQuery(db, tenantId, id)
      users.set(id, user)
      return user
    },

    known: (modelName, id) => rows.get(name(modelName, id)),
    forget: (modelName, id) => void rows.set(name(modelName, id), null),
  }
}
