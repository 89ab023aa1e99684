import { notExists, sql } from 'drizzle-orm'
import { addressFactors } from '../../contract/interactions/interaction.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import { readTogether, runInOneBatch } from '../batches.ts'
import {
  type CodeStore,
  codesOf,
  createCodeRow,
  insertCode,
  type NewCode,
  type VerificationCodeOwner,
} from '../codes/verification-codes.ts'
import type { ConsumedCounter } from '../counters.ts'
import type { Database } from '../database.ts'
import { type AttemptToCount, areWithinLimits, consumeAttempts, type LimitContext } from '../rate-limits.ts'

/**
 * Returns the owner of a second-factor code: the interaction and the channel, so that the code is separate from that of
 * the first factor.
 */
export const factorCodeOwner = (uid: string, channel: VerifiedAddress['type']): VerificationCodeOwner => ({
  uid: `${uid}/${channel}`,
  type: 'SignIn',
})

/** Lists the second-factor codes of an interaction, used or not. */
export async function listFactorCodes(db: Database, tenantId: string, uid: string) {
  const queries = addressFactors.map((channel) => codesOf(db, tenantId, factorCodeOwner(uid, channel)))
  return (await readTogether(db, { codes: queries })).codes
}

/**
 * Creates a code unless its owner has had one, and counts the attempts in the same batch. Of concurrent requests, only
 * the one that creates the code counts. If an attempt is over its limit, no code is created.
 */
export async function createFirstCode(
  { db, seals }: CodeStore,
  tenantId: string,
  newCode: NewCode,
  { attempts, circumstances }: { attempts: readonly AttemptToCount[]; circumstances: LimitContext },
): Promise<{ isCreated: boolean; consumed: ConsumedCounter[] }> {
  const isFirst = notExists(codesOf(db, tenantId, newCode.owner))
  const isAllowed = areWithinLimits(tenantId, attempts, circumstances)
  const row = await createCodeRow(seals, tenantId, newCode)
  const { consumed, created } = await runInOneBatch(db, {
    consumed: consumeAttempts(db, tenantId, attempts, { ...circumstances, condition: isFirst }),
    created: insertCode(db, row, sql`${isFirst} and ${isAllowed}`),
  })
  return { isCreated: created.length > 0, consumed }
}
