import type { Refusal } from '../contract/errors.ts'
import { RefusalError } from '../contract/refused.ts'
import type { Place } from '../domain/place.ts'
import { findInnermostMessage } from '../storage/database.ts'
import { newLogId } from '../storage/log-ids.ts'
import type { IdentifiedLog, NewLog } from '../storage/logs.ts'
import type { Dependencies } from './dependencies.ts'

/** The audit entries of one request (spec/management#audit-log). */
export type AuditTrail = {
  /**
   * Begins an entry before the request is checked. When the entry is stored, all fields of `payload` except known ones
   * are masked (spec/management#audit-fields).
   */
  begin(key: string, payload?: Record<string, unknown>, options?: { isCounted: boolean }): AuditEntry
  /** Returns the keys of all entries, which are logged with the request. */
  keys(): readonly string[]
  /**
   * Returns the rows that have not been committed with a change, including the error if the request failed. Returns
   * none if a rate limit rejected the request.
   */
  uncommitted(error: Error | undefined): NewLog[]
  /** Settles the entries that are still open with this error, after which the request may go on to succeed. */
  settleOpen(error: Error): void
  /**
   * Returns the uncommitted rows that are written even before the caller's first proof. Rate limits bound their number.
   */
  counted(error: Error | undefined): NewLog[]
}

type Caller = {
  ip: string | undefined
  userAgent: string | undefined
  place?: Place
  requestId?: string
  /**
   * Returns the interaction's id. This is a function, because the audit trail starts before the interaction is loaded;
   * it is called when a row is created.
   */
  interactionId?(): string | undefined
}

/**
 * An audit entry. `isCounted` is set if a rate limit counts what the entry records: a right or wrong proof, or a code
 * that was sent.
 */
type Entry = {
  key: string
  payload: Record<string, unknown>
  isCounted: boolean
  /** The entry's own outcome, if it is not that of the request. */
  settled?: { error: Error | undefined }
}

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
      const entry: Entry = { key, payload: { ...payload }, isCounted }
      open.add(entry)
      keys.push(key)
      return {
        add: (more) => void Object.assign(entry.payload, more),
        success(more = {}) {
          open.delete(entry)
          const row = toRow(entry, 'Success', more)
          return { id: newLogId(row.createdAt), ...row }
        },
        settle(error) {
          if (getRateLimitRefusal(error)) open.delete(entry)
          else entry.settled = { error }
        },
        reopen: () => void open.add(entry),
        discard: () => void open.delete(entry),
      }
    },
    keys: () => keys,
    settleOpen(error) {
      for (const entry of open) entry.settled ??= { error }
    },
    uncommitted: (error) => toRows([...open], error),
    counted: (error) =>
      toRows(
        [...open].filter(({ isCounted }) => isCounted),
        error,
      ),
  }

  function toRows(entries: readonly Entry[], requestError: Error | undefined): NewLog[] {
    if (getRateLimitRefusal(requestError)) return []
    return entries.map((entry) => {
      const { error } = entry.settled ?? { error: requestError }
      return error ? toRow(entry, 'Error', { error: describe(error) }) : toRow(entry, 'Success', {})
    })
  }
}

/**
 * Returns the error if a rate limit rejected the request, otherwise null. Such requests are only counted, because
 * anyone can send any number of them (spec/storage#failed-requests).
 */
export const getRateLimitRefusal = (error: Error | undefined): Refusal | null =>
  error instanceof RefusalError && error.refusal.status === 429 ? error.refusal : null

function describe(error: Error): Record<string, unknown> {
  // Database error messages contain the values of their parameters, which must not be logged.
  if (!(error instanceof RefusalError)) return { message: findInnermostMessage(error) }
  const { code, data } = error.refusal
  return { code, ...(data === undefined ? {} : { data }) }
}

/**
 * The audit entry of one request. It begins before the request is checked, so that rejected requests are also recorded.
 * A successful request passes its entry to `commitChange`, which writes it.
 */
export type AuditEntry = {
  /** Adds fields whose values are not known when the entry begins. */
  add(more: Record<string, unknown>): void
  /** Returns the row for a successful request, to be written in the change's batch. */
  success(more?: Record<string, unknown>): IdentifiedLog
  /**
   * Sets the outcome of a part of the request, which can differ from that of the whole request. Nothing is recorded if
   * a rate limit rejected the part.
   */
  settle(error: Error | undefined): void
  /** Records the outcome of the request after all, because the database rejected the change with the row. */
  reopen(): void
  /** Records nothing, because a concurrent request does the same and records it. */
  discard(): void
}

/**
 * Returns a change that records its rejection, even if the database rejects the batch with the row for a successful
 * request.
 */
export const recordRefusals =
  <Dependencies, Change extends { audit: AuditEntry }, Result>(
    change: (dependencies: Dependencies, request: Change) => Promise<Result>,
  ) =>
  async (dependencies: Dependencies, request: Change): Promise<Result> => {
    try {
      return await change(dependencies, request)
    } catch (error) {
      if (error instanceof RefusalError) request.audit.reopen()
      throw error
    }
  }
