import { ALWAYS_TRUE, type Condition } from '../../storage/conditions.ts'
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
 * Tracks the session that a request continues or ends. To change a session's id, the library removes the session and
 * writes it again. Its uid remains the same, and thus shows whether the session has been ended in the meantime.
 */
export function createContinuedSession(db: Database, tenantId: string) {
  let removed: ModelRow | null | undefined
  let uid: string | undefined
  const isOpen = (): Condition => (uid === undefined ? ALWAYS_TRUE : hasSessionWithUid(tenantId, uid))

  return {
    /** Records that the library removes the session. `row` is its row with the removed id. */
    remove(row: ModelRow | null | undefined) {
      removed = row
    },
    write({ payload }: Pick<ModelWrite, 'payload'>, row: ModelRow | null | undefined) {
      const previousRow = row ?? removed
      if (previousRow && previousRow.uid === payload.uid) uid = previousRow.uid ?? undefined
    },

    isOpen,
    /**
     * Returns a query that finds a row if the session has not ended. Returns undefined if nothing depends on the
     * session.
     */
    openQuery: () => (uid === undefined ? undefined : conditionQuery(db, isOpen())),
    /**
     * Returns the deletion at the end of the batch, which follows the write of the row with the new id. A session that
     * ends is deleted by its uid, because another request may have changed its id.
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
