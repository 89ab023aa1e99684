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
 * The session that a request of the provider goes on with or ends. The library gives it a new id by a removal and a write;
 * its uid stays, and says whether it has been ended meanwhile.
 */
export function createContinuedSession(db: Database, tenantId: string) {
  let removed: ModelRow | null | undefined
  let uid: string | undefined
  const isOpen = (): Condition => (uid === undefined ? isAlwaysTrue : hasSessionWithUid(tenantId, uid))

  return {
    /** `row`: what was read under the id that is removed, or written. */
    remove(row: ModelRow | null | undefined) {
      removed = row
    },
    write({ payload }: Pick<ModelWrite, 'payload'>, row: ModelRow | null | undefined) {
      const before = row ?? removed
      if (before && before.uid === payload.uid) uid = before.uid ?? undefined
    },

    isOpen,
    /** Answers a row where `isOpen` holds; undefined where nothing depends on it. */
    openQuery: () => (uid === undefined ? undefined : conditionQuery(db, isOpen())),
    /**
     * For the end of the batch, when the row with the new id is there. A session that ends is deleted by its uid: another
     * request may have given it a new id.
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
