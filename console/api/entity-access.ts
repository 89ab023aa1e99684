import { type Answer, call } from './client.ts'

/** How an entity is read and changed. */
export type EntityAccess<T> = {
  read: (signal?: AbortSignal) => Promise<Answer<T>>
  /** Makes the changes, unless somebody has saved since; answers what a read would. */
  write: (change: { changes: Partial<T>; stored: T; etag: string | null }) => Promise<Answer<T>>
}

/** Read by GET of its path, changed by PATCH, on the condition of its tag. */
export const patched = <T>(
  path: string,
  toPatch: (changes: Partial<T>, stored: T) => Record<string, unknown>,
): EntityAccess<T> => ({
  read: (signal) => call<T>(path, signal && { signal }),
  write: ({ changes, stored, etag }) =>
    call<T>(path, { method: 'PATCH', body: toPatch(changes, stored), ifMatch: etag }),
})
