import type { Refusal } from '../contract/errors.ts'
import { RefusalError } from '../contract/refused.ts'
import type { Place } from '../domain/place.ts'
import { innermostMessage } from '../storage/database.ts'
import { randomId } from '../storage/ids.ts'
import type { IdentifiedLog, NewLog } from '../storage/logs.ts'
import type { Dependencies } from './dependencies.ts'

/** The audit entries of one call (spec/management#audit-log). */
export type AuditTrail = {
  /** Begins an entry before the call is checked. What `payload` may say is decided when it is stored (spec/management#audit-fields). */
  begin(key: string, payload?: Record<string, unknown>, how?: { isCounted: boolean }): AuditEntry
  /** The keys of all entries, for the line in the request log. */
  keys(): readonly string[]
  /** The rows that no change has committed: with the error, when the call failed. None of a call that a rate limit refused. */
  uncommitted(error: Error | undefined): NewLog[]
  /** Those of them that are written although the caller may have proved nothing: a rate limit counts what they tell. */
  counted(error: Error | undefined): NewLog[]
}

type Caller = {
  ip: string | undefined
  userAgent: string | undefined
  place?: Place
  requestId?: string
  /** Asked when a row is made: the interaction of a call is read after its trail has begun. */
  interactionId?(): string | undefined
}

/** `isCounted`: it tells of a proof, right or wrong, or of a code that is sent. */
type Entry = { key: string; payload: Record<string, unknown>; isCounted: boolean }

export function createAuditTrail(
  { now }: Pick<Dependencies, 'now'>,
  { place, interactionId, ...caller }: Caller,
): AuditTrail {
  const request = {
    ...caller,
    ...(place?.country && { country: place.country, city: place.city ?? undefined }),
  }
  const keys: string[] = []
  const open = new Set<Entry>()
  const toRow = (
    { key, payload }: Entry,
    result: 'Success' | 'Error',
    more: Record<string, unknown>,
  ): NewLog => {
    const about = { interactionId: interactionId?.(), ...payload, ...more }
    return { key, createdAt: now(), payload: { ...about, ...request, key, result } }
  }

  return {
    begin(key, payload = {}, { isCounted } = { isCounted: false }) {
      const entry = { key, payload: { ...payload }, isCounted }
      open.add(entry)
      keys.push(key)
      return {
        add: (more) => void Object.assign(entry.payload, more),
        success(more = {}) {
          open.delete(entry)
          return { id: randomId(), ...toRow(entry, 'Success', more) }
        },
      }
    },
    keys: () => keys,
    uncommitted: (error) => toRows([...open], error),
    counted: (error) =>
      toRows(
        [...open].filter(({ isCounted }) => isCounted),
        error,
      ),
  }

  function toRows(entries: readonly Entry[], error: Error | undefined): NewLog[] {
    if (refusedByRateLimit(error)) return []
    return entries.map((entry) =>
      error ? toRow(entry, 'Error', { error: describe(error) }) : toRow(entry, 'Success', {}),
    )
  }
}

/** Anyone can cause any number of these refusals: they are counted, and have no rows (spec/storage#failed-requests). */
export const refusedByRateLimit = (error: Error | undefined): Refusal | null =>
  error instanceof RefusalError && error.refusal.status === 429 ? error.refusal : null

function describe(error: Error): Record<string, unknown> {
  // The message of a database error quotes its parameters.
  if (!(error instanceof RefusalError)) return { message: innermostMessage(error) }
  const { code, data } = error.refusal
  return { code, ...(data === undefined ? {} : { data }) }
}

/**
 * What a call is recorded by. It is begun before the call is checked: a refused call leaves it with the refusal. A call
 * that succeeds gives it to `commitChange`, and it is not written again.
 */
export type AuditEntry = {
  /** What is known only later. */
  add(more: Record<string, unknown>): void
  /** For the batch of the change. */
  success(more?: Record<string, unknown>): IdentifiedLog
}
