import type { Limits } from '../../contract/rate-limits.ts'
import type { Database } from '../../storage/database.ts'
import { createAttemptLimiter } from '../attempts.ts'

type Circumstances = { tenantId: string; ip: string | undefined; limits: Limits; now: number }

/** Returns a client's metadata in the format of the provider library, or the reason why it is not available. */
export type UnregisteredDocuments = (
  id: string,
  circumstances: Circumstances,
) => Promise<
  | { metadata: Record<string, unknown>; freshSeconds: number }
  | { problem: string; retryAfter?: number | undefined }
>

/**
 * Counts a fetch of an unregistered client's document or keys. Returns null if it is allowed, otherwise the number of
 * seconds until the network may try again.
 */
export async function countClientDocument(
  { db, environment }: { db: Database; environment: string },
  { tenantId, ip, limits, now }: Circumstances,
): Promise<number | null> {
  const attempts = createAttemptLimiter(db, tenantId, { limits, environment, now })
  return attempts.retryAfter(await attempts.consume([{ limit: 'clientDocumentsPerNetwork', ip }]))
}
