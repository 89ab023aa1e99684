import type { Refusal } from '../contract/errors.ts'
import { RefusalError } from '../contract/refused.ts'
import type { Place } from '../domain/place.ts'
import { innermostMessage } from '../storage/database.ts'
import { randomId } from '../storage/ids.ts'
import type { IdentifiedLog, NewLog } from '../storage/logs.ts'
import type { Dependencies } from './dependencies.ts'

/** The audit entries of one call (spec/management#audit-log). */
export type AuditTrail = {
  /**
   * Begins an entry before the call is checked. The fields that `payload` may have are decided when the entry is stored
   * (spec/management#audit-fields).
   */
  begin(key: string, payload?: Record<string, unknown>, options?: { isCounted: boolean }): AuditEntry
  /** Returns the keys of all entries, for the line in the request log. */
  keys(): readonly string[]
  /**
   * Returns the rows that no change has committed, with the error if the call failed. A call that a rate limit refused
   * has none.
   */
  uncommitted(error: Error | undefined): NewLog[]
  /**
   * Returns those of them that are written even if the caller has proved nothing, because a rate limit bounds their
   * number.
   */
  counted(error: Error | undefined): NewLog[]
}

type Caller = {
  ip: string | undefined
  userAgent: string | undefined
  place?: Place
  requestId?: string
  /** Called when a row is created, because the interaction of a call is read after its trail has begun. */
  interactionId?(): string | undefined
}

/** An entry with `isCounted` records a proof, right or wrong, or a code that was sent, which rate limits count. */
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
    const details = { interactionId: interactionId?.(), ...payload, ...more }
    return { key, createdAt: now(), payload: { ...details, ...request, key, result } }
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

/**
 * Returns the refusal if a rate limit refused the call, or null. Anyone can cause any number of these, so they are only
 * counted and have no rows (spec/storage#failed-requests).
 */
export const refusedByRateLimit = (error: Error | undefined): Refusal | null =>
  error instanceof RefusalError && error.refusal.status === 429 ? error.refusal : null

function describe(error: Error): Record<string, unknown> {
  // The message of a database error quotes its parameters.
  if (!(error instanceof RefusalError)) return { message: innermostMessage(error) }
  const { code, data } = error.refusal
  return { code, ...(data === undefined ? {} : { data }) }
}

/**
 * The record of a call. It is begun before the call is checked, so that a refused call is recorded with its refusal. A
 * call that succeeds passes the entry to `commitChange`, and it is not written again.
 */
export type AuditEntry = {
  /** Adds fields that become known only later. */
  add(more: Record<string, unknown>): void
  /** Returns the row of a successful call, for the batch of the change. */
  success(more?: Record<string, unknown>): IdentifiedLog
}
