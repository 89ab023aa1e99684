import {
  listStatements,
  nameRows,
  readTogether,
  type Statement,
  type Statements,
  sendBatch,
} from '../storage/batches.ts'
import { commitClosing, commitRepeatable, notAudited } from '../storage/commit.ts'
import { allOf, type Condition, isAlwaysTrue } from '../storage/conditions.ts'
import type { Database } from '../storage/database.ts'
import type { NewLog } from '../storage/logs.ts'
import {
  claimModel,
  consumeModel,
  deleteByGrant,
  deleteModel,
  endInteraction,
  isUnended,
  type ModelKey,
  type ModelWrite,
  modelQuery,
  updateModel,
  writeModel,
} from '../storage/oidc-models.ts'
import { createModelReader, type ModelReader, type ReadTogether } from './model-reader.ts'

/**
 * What one request to the provider reads and writes (ADR-0001, spec/storage#unit-of-work). The library asks for one row after
 * another; here a row is read together with those it refers to, and all writes are sent in one batch after the
 * library has answered.
 */
export type UnitOfWork = Pick<ModelReader, 'read' | 'readByProperty' | 'user'> & {
  /** Reads several things in one round trip, and asks the guard. */
  readTogether: ReadTogether
  /** Asked by the next call of the database: where it refuses, the request fails and nothing is written. */
  guard(guard: Guard): void
  /** The request fails with this error, whatever the library answers. */
  refuse(error: Error): void
  /** A new interaction is only remembered: its cookie holds it until its first call (spec/storage#unwritten-interactions). */
  write(write: Omit<ModelWrite, 'tenantId'>): void
  /** The payload of the interaction that begins with this request. */
  begun(): ModelWrite['payload'] | undefined
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

/** Rows that are changed after they were made, and that a sign-out deletes. */
const endingModels = new Set(['Session', 'Grant'])

/** What must hold for the request, as a query and as the condition of its writes. */
export type Guard = {
  query: Statement
  condition: Condition
  refusalOf(rows: readonly unknown[]): Error | null
}

export function createUnitOfWork(db: Database, tenantId: string, now: () => number): UnitOfWork {
  const reader = createModelReader(db, tenantId, readAll)
  let guard: Guard | undefined
  let refusal: Error | undefined
  const pending: ((condition: Condition) => Statement)[] = []
  const audit: NewLog[] = []
  /** The interaction that ends with this request: everything else is written only if it was still there. */
  let ending: ModelKey | undefined
  /** A row that no other request writes: if it was written, so was everything else. */
  let own: ModelKey | undefined
  let begun: ModelWrite['payload'] | undefined

  const key = (modelName: string, id: string): ModelKey => ({ tenantId, modelName, id })

  async function readAll<const S extends Statements>(queries: S) {
    if (!guard) return readTogether(db, queries)
    const { query, refusalOf } = guard
    const [rows, ...results] = await sendBatch(db, [query, ...listStatements(queries)])
    guard = undefined
    throwIf(refusalOf(Array.isArray(rows) ? rows : []))
    return nameRows(queries, results)
  }

  /** Thrown again at the end: the library answers some errors of its adapter in its own way. */
  function throwIf(error: Error | null | undefined) {
    if (!error) return
    refusal = error
    throw error
  }

  return {
    readTogether: readAll,
    guard(given) {
      guard = given
    },
    refuse(error) {
      refusal = error
    },
    read: reader.read,
    readByProperty: reader.readByProperty,
    user: reader.user,

    begun: () => begun,

    write(write) {
      if (write.modelName === 'Interaction' && !reader.known('Interaction', write.id)) {
        begun = write.payload
        return
      }
      const whole = { ...write, tenantId }
      if (reader.known(write.modelName, write.id) === undefined) own ??= key(write.modelName, write.id)
      // A session or a grant that was loaded may have been ended by another request: then it stays ended.
      const isLoaded = endingModels.has(write.modelName) && reader.known(write.modelName, write.id)
      const onConflict = write.modelName === 'RefreshToken' ? 'keep' : 'replace'
      pending.push((condition) =>
        isLoaded ? updateModel(db, whole, condition) : writeModel(db, whole, { onConflict, condition }),
      )
    },

    remove(modelName, id) {
      reader.forget(modelName, id)
      if (modelName === 'Interaction') ending = key(modelName, id)
      else pending.push((condition) => deleteModel(db, key(modelName, id), condition))
    },

    removeByGrant(modelName, grantId) {
      pending.push((condition) => deleteByGrant(db, tenantId, modelName, grantId, condition))
    },

    consume: (modelName, id, leewaySeconds) => consumeModel(db, key(modelName, id), now(), leewaySeconds),
    claim: (write) => claimModel(db, { ...write, tenantId }),

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
      begun = undefined
    },

    async commit() {
      throwIf(refusal)
      const guarded = guard?.condition ?? isAlwaysTrue
      const condition = ending ? allOf(isUnended(ending), guarded) : guarded
      const writes = pending.splice(0).map((statement) => statement(condition))
      const [entry, ...entries] = audit.splice(0)
      const change = {
        tenantId,
        condition: guarded,
        audit: entry ? ([entry, ...entries] as const) : notAudited('the provider recorded nothing'),
        statements: { guarded: guard?.query, writes },
      }
      if (!ending) {
        // The request may have used up a code, so a lost batch is repeated before the application gets an error.
        const committed = await commitRepeatable(db, change)
        throwIf(guard?.refusalOf(committed.guarded))
        return true
      }
      const committed = await commitClosing(db, change, {
        last: endInteraction(db, ending, now()),
        // The interaction is gone by the answer that was lost, or by another request: what we wrote tells the two apart.
        isOurs: own && modelQuery(db, own),
      })
      return committed !== null
    },
  }
}
