import { type Condition, isAlwaysTrue } from '../../storage/conditions.ts'
import type { Database } from '../../storage/database.ts'
import { conditionQuery } from '../../storage/factors/factors.ts'
import {
  deleteModel,
  deleteSessionByUid,
  hasSessionWithUid,
  type ModelRow,
  type ModelWrite,
} from '../../storage/interactions/oidc-models.ts'

/**
 * Tracks the session that a request of the provider continues or ends. The library gives it a new id by removing and
 * writing it; its uid stays the same and shows whether it has been ended in the meantime.
 */
export function createContinuedSession(db: Database, tenantId: string) {
  let removed: ModelRow | null | undefined
  let uid: string | undefined
  const isOpen = (): Condition => (uid === undefined ? isAlwaysTrue : hasSessionWithUid(tenantId, uid))

  return {
    /** Notes that the library removes the session. `row` is what was read under the removed id. */
    remove(row: ModelRow | null | undefined) {
      removed = row
    },
    write({ payload }: Pick<ModelWrite, 'payload'>, row: ModelRow | null | undefined) {
      const previousRow = row ?? removed
      if (previousRow && previousRow.uid === payload.uid) uid = previousRow.uid ?? undefined
    },

    isOpen,
    /**
     * Returns a query that finds a row if the session is still open, or undefined if nothing depends on the session.
     */
    openQuery: () => (uid === undefined ? undefined : conditionQuery(db, isOpen())),
    /**
     * Returns the deletion for the end of the batch, when the row with the new id exists. A session that ends is
     * deleted by its uid, because another request may have given it a new id.
     */
    deletion(condition: Condition) {
      if (!removed) return
      return uid === undefined && removed.uid !== null
        ? deleteSessionByUid(db, tenantId, removed.uid, condition)
        : deleteModel(db, { tenantId, modelName: 'Session', id: removed.id }, condition)
    },
    discard() {
      removed = undefined
      uid = undefined
    },
  }
}
