import { sql } from 'drizzle-orm'
import type { Statement, Statements } from '../batches.ts'
import { type CommittedRows, commitAndCloseInteraction, type StorageChange } from '../commit.ts'
import { allOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { conditionQuery } from '../factors/factors.ts'
import { randomId } from '../ids.ts'
import type { NewLog } from '../logs.ts'
import { oidcModelInstances as models } from '../tables.ts'
import {
  endInteraction,
  isNotEnded,
  type ModelKey,
  matchesInteraction,
  modelQuery,
  payloadAt,
} from './oidc-models.ts'

/** The conclusion of an interaction (spec/storage#conclusion). */
type Conclusion = {
  tenantId: string
  uid: string
  /** The result that the provider reads when the interaction is resumed. */
  result: Record<string, unknown>
  /** The condition `isInteractionOpen`, possibly combined with others. */
  condition: Condition
}

type ConclusionWith<S extends Statements> = Conclusion & Omit<StorageChange<S>, 'condition'>

/**
 * Commits the result of an interaction together with its effects; the result is written last. Returns the rows by name,
 * or null if the interaction was no longer open, in which case nothing was written. If the response is lost, the batch
 * is repeated, which has no effect if the first run succeeded.
 */
export async function concludeInteraction<const S extends Statements>(
  db: Database,
  { uid, result, ...change }: ConclusionWith<S>,
): Promise<CommittedRows<S> | null> {
  const { tenantId, condition } = change
  const concludedBy = randomId()
  const isThis = matchesInteraction(tenantId, uid)
  const last = db
    .update(models)
    .set({
      payload: sql`json_set(${models.payload}, '$.result', json(${JSON.stringify(result)}), '$.concludedBy', ${concludedBy})`,
    })
    .where(sql`${isThis} and ${condition}`)
    .returning({ id: models.id })
  const isOurs = db
    .select({ id: models.id })
    .from(models)
    .where(sql`${isThis} and json_extract(${models.payload}, '$.concludedBy') = ${concludedBy}`)
  return commitAndCloseInteraction(db, change, { last, isOurs })
}

/** The writes and audit entries with which the provider finishes an authorization (spec/storage#finish). */
export type FinishedAuthorization = {
  interaction: ModelKey
  now: number
  /** Holds while the session that the authorization continues exists, and what it uses up is unused. */
  usable: Condition
  /** Returns the provider's writes, each of which is subject to the condition. */
  writes(condition: Condition): readonly Statement[]
  /** The provider's audit entries, which the caller adds to those of its change. */
  logs: readonly NewLog[]
  /** A row that only this request writes. It exists if and only if the whole batch was written. */
  ownRow: ModelKey | undefined
}

/**
 * Finishes an authorization: ends its interaction and writes the session, the grant and the code in one batch. A resume
 * changes nothing else. A submission adds its own change, whose condition is `isInteractionOpen`, possibly combined with
 * others; the interaction then gets no result in between. Returns null if the interaction had already ended, in which
 * case nothing was written. If the response is lost, the batch is repeated, which has no effect if the first run
 * succeeded.
 */
export async function finishAuthorization<const S extends Statements>(
  db: Database,
  { interaction, now, usable, writes, ownRow }: FinishedAuthorization,
  change: Omit<StorageChange<S>, 'tenantId'>,
): Promise<CommittedRows<S> | null> {
  const { condition = allOf(isNotEnded(interaction), usable), preconditions = [] } = change
  return commitAndCloseInteraction(
    db,
    {
      ...change,
      tenantId: interaction.tenantId,
      condition,
      // The other statements of a submission do not depend on the session, so its end has to roll back the whole batch.
      preconditions: change.condition && [
        ...preconditions,
        { condition: usable, code: 'session.verification_session_not_found' },
      ],
    },
    {
      writes: writes(condition),
      last: endInteraction(db, interaction, now, condition),
      isOurs: ownRow && modelQuery(db, ownRow),
    },
  )
}

/** Reports whether a sign-in has concluded or ended the interaction. */
export async function hasSignIn(db: Database, tenantId: string, uid: string): Promise<boolean> {
  const [row] = await conditionQuery(
    db,
    sql`exists (select 1 from ${models} where ${matchesInteraction(tenantId, uid)}
      and (${models.consumedAt} is not null or ${payloadAt('$.result.login')} is not null))`,
  )
  return row !== undefined
}

/**
 * Checks that the interaction has no result yet, and that its record was created after the interaction's last password
 * reset, if any (spec/interaction#conclusion).
 */
export const isInteractionOpen = (
  tenantId: string,
  uid: string,
  afterReset: string | undefined,
  now: number,
): Condition =>
  sql`exists (select 1 from ${models} where ${matchesInteraction(tenantId, uid)}
    and ${models.expiresAt} > ${now} and ${models.consumedAt} is null
    and json_extract(${models.payload}, '$.result.login') is null
    and json_extract(${models.payload}, '$.result.consent') is null
    and json_extract(${models.payload}, '$.result.select_organization') is null
    and json_extract(${models.payload}, '$.result.error') is null
    and json_extract(${models.payload}, '$.result.reset') is ${afterReset ?? null})`
