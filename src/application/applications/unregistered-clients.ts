import type { Limits } from '../../contract/rate-limits.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { readTogether } from '../../storage/batches.ts'
import type { Database } from '../../storage/database.ts'
import { consumeAttempts } from '../../storage/rate-limits.ts'

type Circumstances = { tenantId: string; ip: string | undefined; limits: Limits; now: number }

/** The metadata of a client as the library takes it, or why there is none. */
export type UnregisteredDocuments = (
  id: string,
  circumstances: Circumstances,
) => Promise<
  | { metadata: Record<string, unknown>; freshSeconds: number }
  | { problem: string; retryAfter?: number | undefined }
>

type Fetch = { tenantId: string; ip: string | undefined; limits: Limits; now: number }

/** Before a document or the keys of an unregistered client are fetched: seconds after which its network may ask again, or null. */
export async function countClientDocument(
  { db, environment }: { db: Database; environment: string },
  { tenantId, ip, limits, now }: Fetch,
): Promise<number | null> {
  const given = { limits, environment, now }
  const attempt = { limit: 'clientDocumentsPerNetwork', ip } as const
  const { consumed } = await readTogether(db, { consumed: consumeAttempts(db, tenantId, [attempt], given) })
  const refusal = refusesAttempts(consumed, now)
  return refusal && Number(refusal.data?.retryAfter)
}
