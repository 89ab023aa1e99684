import {
  listStatements,
  nameRows,
  type ReadTogether,
  readTogether,
  type Statement,
  type Statements,
  sendBatch,
} from '../../storage/batches.ts'
import type { Condition } from '../../storage/conditions.ts'
import type { Database } from '../../storage/database.ts'
import type { FinishedAuthorization } from '../../storage/interactions/conclusions.ts'
import {
  deleteModel,
  extendModel,
  type ModelKey,
  type ModelWrite,
  modelQuery,
  updateModel,
  writeModel,
} from '../../storage/interactions/oidc-models.ts'
import {
  claimDeviceDecision,
  claimSingleUse,
  consumeExisting,
} from '../../storage/interactions/single-use.ts'
import type { NewLog } from '../../storage/logs.ts'
import { createContinuedSession } from '../sessions/continued-session.ts'
import {
  commitWork,
  describeFinish,
  type RequestGuard,
  type SupersededRequest,
  supersededError,
  type Use,
  type Work,
} from './commit-work.ts'
import { createModelReader, type ModelReader } from './model-reader.ts'

/**
 * The reads and writes of one request to the provider (ADR-0066, spec/storage#unit-of-work). The library requests rows
 * one at a time, but each row is read together with the rows to which it refers. All writes are sent in one batch after
 * the library has responded.
 */
export type UnitOfWork = Omit<ModelReader, 'forget'> & {
  /** Reads the results of several queries in one round trip, and checks the guard. */
  readTogether: ReadTogether
  /**
   * Sets a guard, which the next database call checks. If the check fails, the request fails and nothing is written.
   */
  guard(guard: RequestGuard): void
  /** Makes the request fail with this error, regardless of the library's response. */
  refuse(error: Error): void
  /**
   * Adds a write. New interactions are not written, because they stay in their cookie until their first call
   * (spec/storage#unwritten-interactions).
   */
  write(write: Omit<ModelWrite, 'tenantId'>): void
  /** Returns the payload of the interaction that this request starts, if any. */
  newInteraction(): ModelWrite['payload'] | undefined
  /** Extends a stored row to this time, in epoch milliseconds, unless another request has ended it. */
  extend(modelName: string, id: string, expiresAt: number): void
  remove(modelName: string, id: string): void
  /**
   * Consumes a row in the request's batch. If another request has consumed the row, the batch writes nothing
   * (spec/provider#single-use).
   */
  consume(
    modelName: string,
    id: string,
    options: { leewaySeconds?: number; superseded: SupersededRequest },
  ): void
  /**
   * Claims a row that must not exist yet. If the request changes nothing else, the row is not written, but the request
   * still fails if the row exists (ADR-0156).
   */
  claim(write: Omit<ModelWrite, 'tenantId'>, superseded: SupersededRequest): void
  /** Stores the user's decision in a waiting device's row, unless another request has stored one. */
  decide(write: Omit<ModelWrite, 'tenantId'>, superseded: SupersededRequest): void
  /** Adds another statement to the request's batch. */
  add(statement: Statement): void
  audit(entry: NewLog): void
  /** Returns the audit entries that this request will write. */
  audited(): readonly NewLog[]
  /** Discards all pending writes, because the request has failed. */
  discard(): void
  /**
   * Sends all writes as one batch, which succeeds or fails as a whole. Returns false if, in the meantime, the session
   * has ended or another request has resumed the interaction.
   */
  commit(): Promise<boolean>
  /**
   * Returns all writes instead of sending them, so that they become part of another batch. Returns null if the request
   * does not end an interaction.
   */
  handOver(): FinishedAuthorization | null
}

/** The models whose rows change over time and are deleted at sign-out. */
const endingModels = new Set(['Session', 'Grant'])

export function createUnitOfWork(db: Database, tenantId: string, now: () => number): UnitOfWork {
  const reader = createModelReader(db, tenantId, readAll)
  let guard: RequestGuard | undefined
  let refusal: Error | undefined
  const pending: ((condition: Condition) => Statement)[] = []
  const audit: NewLog[] = []
  const uses: Use[] = []
  /** The interaction that ends with this request. All other writes require that its row exists. */
  let ending: ModelKey | undefined
  /** The request's session. If the request continues the session, all writes require that it has not ended. */
  const session = createContinuedSession(db, tenantId)
  /** A row that only this request writes. It exists if and only if the whole batch was written. */
  let ownRow: ModelKey | undefined
  let interactionPayload: ModelWrite['payload'] | undefined

  const key = (modelName: string, id: string): ModelKey => ({ tenantId, modelName, id })

  async function readAll<const S extends Statements>(queries: S) {
    if (!guard) return readTogether(db, queries)
    const { query, refusalOf } = guard
    const [rows, ...results] = await sendBatch(db, [query, ...listStatements(queries)])
    guard = undefined
    throwIf(refusalOf(Array.isArray(rows) ? rows : []))
    return nameRows(queries, results)
  }

  /** Stores the error, so that `commit` can throw it. The library swallows some errors of the adapter. */
  function throwIf(error: Error | null | undefined) {
    if (!error) return
    refusal = error
    throw error
  }

  /** Returns everything collected so far, which is then no longer pending. */
  const takeWork = (): Work => ({
    tenantId,
    now: now(),
    guard,
    session,
    ending,
    ownRow,
    used: uses.splice(0),
    writes: pending.splice(0),
    logs: audit.splice(0),
  })

  const { forget: _forget, ...reads } = reader
  return {
    ...reads,
    readTogether: readAll,
    guard(newGuard) {
      guard = newGuard
    },
    refuse(error) {
      refusal = error
    },

    newInteraction: () => interactionPayload,

    write(write) {
      if (write.modelName === 'Interaction' && !reader.cached('Interaction', write.id)) {
        interactionPayload = write.payload
        return
      }
      const modelWrite = { ...write, tenantId }
      if (write.modelName === 'Session') session.write(write, reader.cached('Session', write.id))
      if (reader.cached(write.modelName, write.id) === undefined) ownRow ??= key(write.modelName, write.id)
      pending.push(writingOf(db, modelWrite, reader.cached(write.modelName, write.id) != null))
    },

    extend(modelName, id, expiresAt) {
      pending.push((condition) => extendModel(db, { ...key(modelName, id), expiresAt }, condition))
    },

    remove(modelName, id) {
      if (modelName === 'Session') session.remove(reader.cached(modelName, id))
      reader.forget(modelName, id)
      if (modelName === 'Interaction') ending = key(modelName, id)
      else if (modelName !== 'Session')
        pending.push((condition) => deleteModel(db, key(modelName, id), condition))
    },

    consume(modelName, id, { leewaySeconds, superseded }) {
      const { grantId } = superseded
      uses.push({
        ...consumeExisting(db, key(modelName, id), { now: now(), leewaySeconds, grantId }),
        superseded,
      })
    },
    claim(write, superseded) {
      uses.push({ ...claimSingleUse(db, { ...write, tenantId }), superseded })
    },
    decide(write, superseded) {
      uses.push({ ...claimDeviceDecision(db, { ...write, tenantId }), superseded, isDeviceDecision: true })
    },

    add(statement) {
      pending.push(() => statement)
    },

    audit(entry) {
      audit.push(entry)
    },
    audited: () => audit,

    discard() {
      pending.length = 0
      audit.length = 0
      uses.length = 0
      ending = undefined
      interactionPayload = undefined
      session.discard()
    },

    handOver() {
      throwIf(refusal)
      return ending ? describeFinish(takeWork(), ending) : null
    },

    async commit() {
      throwIf(refusal)
      const work = takeWork()
      const { used: committedUses } = work
      const outcome = await commitWork(db, work)
      if (outcome === true) return true
      if (outcome === false) {
        // If another browser has decided about the device, the user is told that rather than that the sign-in ended.
        const decision = committedUses.find(({ isDeviceDecision }) => isDeviceDecision)
        const [row] = decision ? await modelQuery(db, decision.key) : []
        if (decision && row && decision.isTaken(row)) throw decision.superseded.error
        return false
      }
      throwIf(outcome.refusal)
      throw await supersededError(db, tenantId, committedUses)
    },
  }
}

/**
 * Returns the statement that writes a row. A loaded session or grant that another request has since ended must not be
 * restored.
 */
function writingOf(db: Database, write: ModelWrite, isLoaded: boolean): (condition: Condition) => Statement {
  if (isLoaded && endingModels.has(write.modelName)) return (condition) => updateModel(db, write, condition)
  const onConflict = write.modelName === 'RefreshToken' ? 'keep' : 'replace'
  return (condition) => writeModel(db, write, { onConflict, condition })
}
