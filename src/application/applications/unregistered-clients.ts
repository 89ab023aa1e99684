import type { Limits } from '../../contract/rate-limits.ts'
import type { Database } from '../../storage/database.ts'
import { attemptsIn } from '../attempts.ts'

type Circumstances = { tenantId: string; ip: string | undefined; limits: Limits; now: number }

/** The metadata of a client as the library takes it, or why there is none. */
export type UnregisteredDocuments = (
  id: string,
  circumstances: Circumstances,
) => Promise<
  | { metadata: Record<string, unknown>; freshSeconds: number }
  | { problem: string; retryAfter?: number | undefined }
>

/** Before a document or the keys of an unregistered client are fetched: seconds after which its network may ask again, or null. */
export async function countClientDocument(
  { db, environment }: { db: Database; environment: string },
  { tenantId, ip, limits, now }: Circumstances,
): Promise<number | null> {
  const attempts = attemptsIn(db, tenantId, { limits, environment, now })
  return attempts.retryAfter(await attempts.consume([{ limit: 'clientDocumentsPerNetwork', ip }]))
}
