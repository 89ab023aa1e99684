import {
  listStatements,
  nameRows,
  type ReadTogether,
  readTogether,
  type Statement,
  type Statements,
  sendBatch,
} from '../../storage/batches.ts'
import { commitAndCloseInteraction, commitRepeatable, notAudited } from '../../storage/commit.ts'
import { ALWAYS_TRUE, allOf, type Condition } from '../../storage/conditions.ts'
import type { Database } from '../../storage/database.ts'
import {
  deleteByGrant,
  deleteModel,
  endInteraction,
  extendModel,
  grantDeletionStatements,
  isNotResumed,
  type ModelKey,
  type ModelRow,
  type ModelWrite,
  modelQuery,
  updateModel,
  writeModel,
} from '../../storage/interactions/oidc-models.ts'
import {
  claimDeviceDecision,
  claimSingleUse,
  consumeExisting,
  type SingleUse,
} from '../../storage/interactions/single-use.ts'
import type { NewLog } from '../../storage/logs.ts'
import { createContinuedSession } from '../sessions/continued-session.ts'
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
  removeByGrant(modelName: string, grantId: string): void
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
}

/**
 * The outcome if another request has already used the row: this request fails with `error`, and the grant is deleted
 * together with everything issued under it.
 */
type SupersededRequest = { error: Error; grantId?: string | undefined }

type Use = SingleUse & { superseded: SupersededRequest; isDeviceDecision?: true }

/** The models whose rows change over time and are deleted at sign-out. */
const endingModels = new Set(['Session', 'Grant'])

/** A condition on which the request depends. A query checks it, and all writes are subject to it. */
type RequestGuard = {
  query: Statement
  condition: Condition
  refusalOf(rows: readonly unknown[]): Error | null
}

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

    removeByGrant(modelName, grantId) {
      pending.push((condition) => deleteByGrant(db, tenantId, modelName, grantId, condition))
    },

    consume(modelName, id, { leewaySeconds, superseded }) {
      uses.push({ ...consumeExisting(db, key(modelName, id), { now: now(), leewaySeconds }), superseded })
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

    async commit() {
      throwIf(refusal)
      const committedUses = uses.splice(0)
      const writes = pending.splice(0)
      const logs = audit.splice(0)
      const outcome = await commitWork(db, {
        tenantId,
        now: now(),
        guard,
        session,
        ending,
        ownRow,
        used: committedUses,
        writes,
        logs,
      })
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

type Work = {
  tenantId: string
  now: number
  guard: RequestGuard | undefined
  session: ReturnType<typeof createContinuedSession>
  /** The interaction that ends with the request. */
  ending: ModelKey | undefined
  /** A row that only this request writes. */
  ownRow: ModelKey | undefined
  used: readonly Use[]
  writes: readonly ((condition: Condition) => Statement)[]
  logs: readonly NewLog[]
}

/**
 * Returns the result of `commit`. If nothing was written, the result contains the guard's error, or no error if another
 * request has used a row.
 */
async function commitWork(
  db: Database,
  work: Work,
): Promise<boolean | { refusal: Error | null | undefined }> {
  const { tenantId, now, guard, session, ending, ownRow, used } = work
  const usable = allOf(guard?.condition ?? ALWAYS_TRUE, session.isOpen(), ...used.map((use) => use.condition))
  const condition = ending ? allOf(isNotResumed(ending), usable) : usable
  const isRead =
    !ending && work.writes.length === 0 && work.logs.length === 0 && used.every(({ check }) => check)
  const [entry, ...entries] = work.logs
  const change = {
    tenantId,
    condition,
    audit: entry ? ([entry, ...entries] as const) : notAudited('the provider recorded nothing'),
    statements: {
      guarded: guard?.query,
      open: session.openQuery(),
      writes: work.writes.map((statement) => statement(condition)),
      session: session.deletion(condition),
      marks: used.map(({ mark, check = mark }) => (isRead ? check : mark)(condition)),
    },
  }
  if (ending) {
    const committed = await commitAndCloseInteraction(db, change, {
      last: endInteraction(db, ending, now, usable),
      // The interaction has already ended, either through another request or through an earlier run of this batch whose
      // response was lost. It was this batch if the row that only this request writes exists.
      isOurs: ownRow && modelQuery(db, ownRow),
    })
    return committed !== null
  }
  // A batch that is repeated because its response was lost recognises the rows that it has consumed, so the application
  // still receives its tokens.
  const committed = await commitRepeatable(db, change)
  const refusal = guard?.refusalOf(committed.guarded)
  if (refusal) return { refusal }
  if (session.openQuery() && committed.open.length === 0) return false
  return committed.marks.length < used.length ? { refusal: undefined } : true
}

/**
 * Returns the error for a batch that wrote nothing. If the request uses several rows, the error belongs to the row that
 * another request has already used.
 */
async function supersededError(
  db: Database,
  tenantId: string,
  used: readonly Use[],
): Promise<Error | undefined> {
  const rows = await sendBatch(
    db,
    used.map(({ key }) => modelQuery(db, key)),
  )
  const consumedUse =
    used.find(({ isTaken }, index) => isTaken((rows as ModelRow[][])[index]?.[0])) ?? used[0]
  const { error, grantId } = consumedUse?.superseded ?? {}
  if (grantId !== undefined) {
    await commitRepeatable(db, {
      tenantId,
      audit: notAudited('the failure of the request is counted'),
      statements: { grant: grantDeletionStatements(db, tenantId, grantId) },
    })
  }
  return error
}
