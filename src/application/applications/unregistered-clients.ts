import type { Limits } from '../../contract/rate-limits.ts'

type Circumstances = { tenantId: string; ip: string | undefined; limits: Limits; now: number }

/** The metadata of a client as the library takes it, or why there is none. */
export type UnregisteredDocuments = (
  id: string,
  circumstances: Circumstances,
) => Promise<
  | { metadata: Record<string, unknown>; freshSeconds: number }
  | { problem: string; retryAfter?: number | undefined }
>
