import { type Statement, sendBatch } from '../../storage/batches.ts'
import { commitRepeatable, notAudited } from '../../storage/commit.ts'
import { ALWAYS_TRUE, allOf, type Condition } from '../../storage/conditions.ts'
import type { Database } from '../../storage/database.ts'
import { type FinishedAuthorization, finishAuthorization } from '../../storage/interactions/conclusions.ts'
import {
  deleteModel,
  type ModelKey,
  type ModelRow,
  modelQuery,
} from '../../storage/interactions/oidc-models.ts'
import type { SingleUse } from '../../storage/interactions/single-use.ts'
import type { NewLog } from '../../storage/logs.ts'
import type { createContinuedSession } from '../sessions/continued-session.ts'

/** A condition on which the request depends. A query checks it, and all writes are subject to it. */
export type RequestGuard = {
  query: Statement
  condition: Condition
  refusalOf(rows: readonly unknown[]): Error | null
}

/**
 * The outcome if another request has already used the row: this request fails with `error`, and the grant is deleted,
 * which ends everything issued under it.
 */
export type SupersededRequest = { error: Error; grantId?: string | undefined }

export type Use = SingleUse & { superseded: SupersededRequest; isDeviceDecision?: true }

/** The conditions, writes and audit entries that a request has collected. */
export type Work = {
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
export async function commitWork(
  db: Database,
  work: Work,
): Promise<boolean | { refusal: Error | null | undefined }> {
  const { tenantId, guard, session, ending, used } = work
  const [entry, ...entries] = work.logs
  const audit = entry ? ([entry, ...entries] as const) : notAudited('the provider recorded nothing')
  if (ending) {
    // The interaction may already have ended, either through another request or through an earlier run of this batch
    // whose response was lost. It was this batch if the row that only this request writes exists.
    const change = { statements: {}, audit }
    return (await finishAuthorization(db, describeFinish(work, ending), change)) !== null
  }
  const condition = usableIf(work)
  const isRead = work.writes.length === 0 && work.logs.length === 0 && used.every(({ check }) => check)
  const change = {
    tenantId,
    condition,
    audit,
    statements: {
      guarded: guard?.query,
      open: session.openQuery(),
      writes: work.writes.map((statement) => statement(condition)),
      session: session.deletion(condition),
      marks: used.map(({ mark, check = mark }) => (isRead ? check : mark)(condition)),
    },
  }
  // A batch that is repeated because its response was lost recognises the rows that it has consumed, so the application
  // still receives its tokens.
  const committed = await commitRepeatable(db, change)
  const refusal = guard?.refusalOf(committed.guarded)
  if (refusal) return { refusal }
  if (session.openQuery() && committed.open.length === 0) return false
  return committed.marks.length < used.length ? { refusal: undefined } : true
}

/** Returns what a request that ends an interaction writes. */
export const describeFinish = (work: Work, interaction: ModelKey): FinishedAuthorization => ({
  interaction,
  now: work.now,
  usable: usableIf(work),
  writes: (condition) => [
    ...work.writes.map((statement) => statement(condition)),
    ...[work.session.deletion(condition) ?? []].flat(),
    ...work.used.map(({ mark }) => mark(condition)),
  ],
  logs: work.logs,
  ownRow: work.ownRow,
})

const usableIf = ({ guard, session, used }: Work): Condition =>
  allOf(guard?.condition ?? ALWAYS_TRUE, session.isOpen(), ...used.map((use) => use.condition))

/**
 * Returns the error for a batch that wrote nothing. If the request uses several rows, the error belongs to the row that
 * another request has already used or, if there is none, to the code or token whose grant was deleted in the meantime.
 */
export async function supersededError(
  db: Database,
  tenantId: string,
  used: readonly Use[],
): Promise<Error | undefined> {
  const rows = await sendBatch(
    db,
    used.map(({ key }) => modelQuery(db, key)),
  )
  const consumedUse =
    used.find(({ isTaken }, index) => isTaken((rows as ModelRow[][])[index]?.[0])) ??
    used.find(({ superseded }) => superseded.grantId !== undefined) ??
    used[0]
  const { error, grantId } = consumedUse?.superseded ?? {}
  if (grantId !== undefined) {
    await commitRepeatable(db, {
      tenantId,
      audit: notAudited('the failure of the request is counted'),
      statements: { grant: deleteModel(db, { tenantId, modelName: 'Grant', id: grantId }, ALWAYS_TRUE) },
    })
  }
  return error
}
