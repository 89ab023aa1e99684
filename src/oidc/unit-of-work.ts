import type { SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { type Database, mayRepeat } from '../storage/database.ts'
import {
  always,
  claimModel,
  consumeModel,
  deleteByGrant,
  deleteModel,
  exists,
  type ModelKey,
  type ModelRow,
  type ModelWrite,
  modelByPropertyQuery,
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
 * What one request to the provider reads and writes (design 2). The library asks for one row after another; here a
 * row comes with its neighbours in one batch, and all writes leave in one batch after the library has answered.
 */
export type UnitOfWork = {
  read(modelName: string, id: string): Promise<ModelRow | null>
  readByProperty(modelName: string, property: 'uid' | 'userCode', value: string): Promise<ModelRow | null>
  user(id: string): Promise<UserRow | null>
  write(write: Omit<ModelWrite, 'tenantId'>): void
  remove(modelName: string, id: string): void
  removeByGrant(modelName: string, grantId: string): void
  /** At once, not at the end: it decides whether the answer may be given (decision 24). False: someone was first. */
  consume(modelName: string, id: string, leewaySeconds?: number): Promise<boolean>
  /** At once, too: writes a row that must not be there yet. False: it is. */
  claim(write: Omit<ModelWrite, 'tenantId'>): Promise<boolean>
  /** Anything else that belongs into the same batch, e.g. audit rows. */
  add(statement: BatchItem<'sqlite'>): void
  /** The request failed half-way: nothing it wanted to write may be written. */
  discard(): void
  /** One batch, or nothing. False: the interaction this request resumed was already taken by another. */
  commit(): Promise<boolean>
}

const repeatIfLost =
  <T>(repeat: () => Promise<T>) =>
  (error: unknown) => {
    if (!mayRepeat(error)) throw error
    return repeat()
  }

/** Models whose rows are read together with grant, session and account. */
const tokens = new Set(['AuthorizationCode', 'RefreshToken', 'AccessToken'])

export function createUnitOfWork(db: Database, tenantId: string, now: () => number): UnitOfWork {
  const rows = new Map<string, ModelRow | null>()
  const people = new Map<string, UserRow | null>()
  const pending: ((condition: SQL) => BatchItem<'sqlite'>)[] = []
  /** The interaction that ends with this request: all else happens only if it was still there. */
  let ending: ModelKey | undefined
  /** A row that nobody but this request writes: where it is, so is everything else. */
  let own: ModelKey | undefined

  const key = (modelName: string, id: string): ModelKey => ({ tenantId, modelName, id })
  const name = (modelName: string, id: string) => `${modelName}:${id}`
  const remember = (found: readonly ModelRow[]) => {
    for (const row of found) rows.set(name(row.modelName, row.id), row)
  }
  const meet = (found: readonly UserRow[]) => {
    for (const user of found) people.set(user.id, user)
  }

  async function fetch(modelName: string, id: string): Promise<ModelRow | null> {
    const wanted = key(modelName, id)
    if (tokens.has(modelName)) {
      const [own, grants, sessions, accounts] = await db.batch(tokenQueries(db, wanted))
      remember([...own, ...grants, ...sessions])
      meet(accounts)
      return own[0] ?? null
    }
    if (modelName === 'Session' || modelName === 'Interaction') {
      const queries = modelName === 'Session' ? sessionQueries(db, wanted) : resumeQueries(db, wanted)
      const [own, grants, accounts] = await db.batch(queries)
      remember([...own, ...grants])
      meet(accounts)
      return own[0] ?? null
    }
    const [own] = await modelQuery(db, wanted)
    return own ?? null
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
      const known = people.get(id)
      if (known !== undefined) return known
      const [user] = await userQuery(db, tenantId, id)
      people.set(id, user ?? null)
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

    discard() {
      pending.length = 0
      ending = undefined
    },

    async commit() {
      const condition = ending ? exists(ending) : always
      const statements = pending.splice(0).map((statement) => statement(condition))
      if (!ending) {
        const [first, ...rest] = statements
        // A code may have been used up for this: what can be repeated is, before the application is told to try again.
        if (first) await db.batch([first, ...rest]).catch(repeatIfLost(() => db.batch([first, ...rest])))
        return true
      }
      // Behind the statements that ask whether it is still there.
      const taken = deleteModel(db, ending, always)
      const [first = taken, ...rest] = [...statements, taken]
      const results: unknown[] = await db.batch([first, ...rest]).catch(
        // It is gone by the answer that was lost, or by another request: what we wrote tells the two apart.
        repeatIfLost(() => db.batch([first, ...rest, ...(own ? [modelQuery(db, own)] : [])])),
      )
      return results.slice(statements.length).some((found) => Array.isArray(found) && found.length > 0)
    },
  }
}
