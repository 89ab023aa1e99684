import { readTogether, type Statement } from '../storage/batches.ts'
import { commitClosing, commitRepeatable, notAudited } from '../storage/commit.ts'
import { always, type Condition } from '../storage/conditions.ts'
import type { Database } from '../storage/database.ts'
import type { NewLog } from '../storage/logs.ts'
import {
  claimModel,
  consumeModel,
  deleteByGrant,
  deleteModel,
  type ModelKey,
  type ModelRow,
  type ModelWrite,
  modelByPropertyQuery,
  modelExists,
  modelQuery,
  resumeQueries,
  sessionQueries,
  tokenQueries,
  updateModel,
  userQuery,
  writeModel,
} from '../storage/oidc-models.ts'
import type { UserRow } from '../storage/users.ts'

/**
 * What one request to the provider reads and writes (spec/storage#unit-of-work). The library asks for one row after
 * another; here a row is read together with those it refers to, and all writes are sent in one batch after the
 * library has answered.
 */
export type UnitOfWork = {
  read(modelName: string, id: string): Promise<ModelRow | null>
  readByProperty(modelName: string, property: 'uid' | 'userCode', value: string): Promise<ModelRow | null>
  user(id: string): Promise<UserRow | null>
  write(write: Omit<ModelWrite, 'tenantId'>): void
  remove(modelName: string, id: string): void
  removeByGrant(modelName: string, grantId: string): void
  /** At once, not at the end: it decides whether the answer may be given (spec/provider#single-use). False: another request was first. */
  consume(modelName: string, id: string, leewaySeconds?: number): Promise<boolean>
  /** Also at once: writes a row that must not exist yet. False: it exists. */
  claim(write: Omit<ModelWrite, 'tenantId'>): Promise<boolean>
  /** Anything else that belongs into the same batch. */
  add(statement: Statement): void
  audit(entry: NewLog): void
  /** The request failed half-way: nothing it wanted to write may be written. */
  discard(): void
  /** One batch, or nothing. False: another request has already resumed the interaction. */
  commit(): Promise<boolean>
}

/** Models whose rows are read together with grant, session and account. */
const tokens = new Set(['AuthorizationCode', 'RefreshToken', 'AccessToken'])

export function createUnitOfWork(db: Database, tenantId: string, now: () => number): UnitOfWork {
  const rows = new Map<string, ModelRow | null>()
  const users = new Map<string, UserRow | null>()
  const pending: ((condition: Condition) => Statement)[] = []
  const audit: NewLog[] = []
  /** The interaction that ends with this request: everything else is written only if it was still there. */
  let ending: ModelKey | undefined
  /** A row that no other request writes: if it was written, so was everything else. */
  let own: ModelKey | undefined

  const key = (modelName: string, id: string): ModelKey => ({ tenantId, modelName, id })
  const name = (modelName: string, id: string) => `${modelName}:${id}`
  const remember = (models: readonly ModelRow[], accounts: readonly UserRow[] = []) => {
    for (const row of models) rows.set(name(row.modelName, row.id), row)
    for (const user of accounts) users.set(user.id, user)
  }

  async function fetch(modelName: string, id: string): Promise<ModelRow | null> {
    const wanted = key(modelName, id)
    const [row] = await fetchWithNeighbours(wanted)
    return row ?? null
  }

  async function fetchWithNeighbours(wanted: ModelKey): Promise<ModelRow[]> {
    if (tokens.has(wanted.modelName)) {
      const { model, grants, sessions, users } = await readTogether(db, tokenQueries(db, wanted))
      remember([...model, ...grants, ...sessions], users)
      return model
    }
    if (wanted.modelName === 'Session' || wanted.modelName === 'Interaction') {
      const queries = wanted.modelName === 'Session' ? sessionQueries : resumeQueries
      const { model, grants, users } = await readTogether(db, queries(db, wanted))
      remember([...model, ...grants], users)
      return model
    }
    return modelQuery(db, wanted)
  }

  return {
    async read(modelName, id) {
      const known = rows.get(name(modelName, id))
      if (known !== undefined) return known
      const row = await fetch(modelName, id)
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
      const [user] = await userQuery(db, tenantId, id)
      users.set(id, user ?? null)
      return user ?? null
    },

    write(write) {
      const whole = { ...write, tenantId }
      if (rows.get(name(write.modelName, write.id)) === undefined) own ??= key(write.modelName, write.id)
      // A session that was loaded may have been ended by another request: then it stays ended.
      const isLoadedSession = write.modelName === 'Session' && rows.get(name('Session', write.id))
      const onConflict = write.modelName === 'RefreshToken' ? 'keep' : 'replace'
      pending.push((condition) =>
        isLoadedSession
          ? updateModel(db, whole, condition)
          : writeModel(db, whole, { onConflict, condition }),
      )
    },

    remove(modelName, id) {
      rows.set(name(modelName, id), null)
      if (modelName === 'Interaction') ending = key(modelName, id)
      else pending.push((condition) => deleteModel(db, key(modelName, id), condition))
    },

    removeByGrant(modelName, grantId) {
      pending.push((condition) => deleteByGrant(db, tenantId, modelName, grantId, condition))
    },

    async consume(modelName, id, leewaySeconds) {
      const changed = await consumeModel(db, key(modelName, id), now(), leewaySeconds)
      return changed.length > 0
    },

    async claim(write) {
      const claimed = await claimModel(db, { ...write, tenantId })
      return claimed.length > 0
    },

    add(statement) {
      pending.push(() => statement)
    },

    audit(entry) {
      audit.push(entry)
    },

    discard() {
      pending.length = 0
      audit.length = 0
      ending = undefined
    },

    async commit() {
      const condition = ending ? modelExists(ending) : always
      const writes = pending.splice(0).map((statement) => statement(condition))
      const [entry, ...entries] = audit.splice(0)
      const change = {
        tenantId,
        audit: entry ? ([entry, ...entries] as const) : notAudited('the provider recorded nothing'),
        statements: { writes },
      }
      if (!ending) {
        // The request may have used up a code, so a lost batch is repeated before the application gets an error.
        await commitRepeatable(db, change)
        return true
      }
      const committed = await commitClosing(db, change, {
        last: deleteModel(db, ending, always),
        // The interaction is gone by the answer that was lost, or by another request: what we wrote tells the two apart.
        isOurs: own && modelQuery(db, own),
      })
      return committed !== null
    },
  }
}
