import { closeSync, ftruncateSync, openSync } from 'node:fs'
import type { z } from 'zod'
import { type ImportResult, UserImportResponse } from '../../src/contract/users/user-import.schema.ts'
import { ApiError, type Deployment } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { type BatchEntry, readBatches, type UserBatch } from './batches.ts'
import { getFileSize, removeFile, syncParentFolder, writeDurably } from './durable.ts'
import type { UserFileFormat } from './formats.ts'
import type { ImportState } from './import-state.ts'

type Job = {
  file: string
  format: UserFileFormat
  state: ImportState
  deployment: Deployment
  rejected: RejectedFile
  /** If true, the import accepts users who have internal roles. It rejects them otherwise. */
  withAdministrators: boolean
  /** If true, webhooks receive an event for each new user. */
  withEvents: boolean
  stopped: AbortSignal
  /**
   * Called with the new state whenever users have been imported. If the import is interrupted, it continues from that
   * state.
   */
  acknowledged(state: ImportState): void
}

type Receiver = Pick<Job, 'deployment' | 'withAdministrators' | 'withEvents'>

/** The number of concurrent calls. The database runs one transaction at a time, so more calls would only wait. */
const MAX_CONCURRENT = 4
/** The time for which calls in progress may continue after Ctrl-C. */
const GRACE_PERIOD = 5_000 // ms

/**
 * Sends a file in batches. Their results are recorded in the order of the file, regardless of the order of the
 * responses.
 */
export async function importFile(job: Job): Promise<ImportState> {
  const { file, format, stopped, acknowledged } = job
  let { state } = job
  const pending: { batch: UserBatch; outcome: Promise<Outcome> }[] = []
  const abandon = new AbortController()
  stopped.addEventListener('abort', () => setTimeout(() => abandon.abort(), GRACE_PERIOD).unref())

  async function acknowledgeFirst(): Promise<void> {
    const first = pending.shift()
    if (!first) return
    const { created, existing, rejections } = await first.outcome
    state = {
      ...state,
      offset: first.batch.end.offset,
      line: first.batch.end.line,
      created: state.created + created,
      existing: state.existing + existing,
      rejected: state.rejected + rejections.length,
      rejectedBytes: job.rejected.append(rejections),
    }
    acknowledged(state)
  }

  try {
    for await (const batch of readBatches(file, format, state)) {
      if (stopped.aborted) break
      const outcome = withLinkedSignal(abandon.signal, (signal) => send(job, batch, signal))
      // The outcome is awaited later. This handler prevents an earlier rejection from being reported as unhandled.
      outcome.catch(() => undefined)
      pending.push({ batch, outcome })
      if (pending.length === MAX_CONCURRENT) await acknowledgeFirst()
    }
    while (pending.length > 0) await acknowledgeFirst()
  } catch (error) {
    if (abandon.signal.aborted) return state
    if (!(error instanceof CommandFailure)) throw error
    throw new CommandFailure(
      `We stopped at line ${state.line}: ${error.message} Run the same command to continue from here.`,
    )
  }
  return state
}

/**
 * Creates a signal per call, because listeners on the long-lived signal would keep the data of every call in memory.
 */
async function withLinkedSignal<T>(signal: AbortSignal, call: (own: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController()
  const abort = () => own.abort()
  signal.addEventListener('abort', abort)
  try {
    return await call(own.signal)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

type Outcome = { created: number; existing: number; rejections: RejectedRecord[] }

async function send(to: Receiver, { entries }: UserBatch, signal: AbortSignal): Promise<Outcome> {
  const readable = entries.filter((entry): entry is ReadableEntry => 'user' in entry)
  const results = readable.length === 0 ? [] : await importAll(to, readable, signal)
  const resultsByEntry = new Map(readable.map((entry, index) => [entry, results[index]]))
  const outcome: Outcome = { created: 0, existing: 0, rejections: [] }
  for (const entry of entries) {
    const result = 'user' in entry ? resultsByEntry.get(entry) : undefined
    if (result?.status === 'created') outcome.created++
    else if (result?.status === 'existing') outcome.existing++
    else outcome.rejections.push(rejectionOf(entry, result))
  }
  return outcome
}

type ReadableEntry = Extract<BatchEntry, { user: unknown }>
type Result = z.output<typeof ImportResult>

/** Imports entries and returns one result per entry. Entries whose result is `unavailable` are sent again. */
async function importAll(
  to: Receiver,
  entries: readonly ReadableEntry[],
  signal: AbortSignal,
): Promise<Result[]> {
  const results = await importCall(to, entries, signal)
  // A call may succeed for only some of its users. The others are sent again, and users that already exist are not
  // changed.
  for (let attempt = 1; attempt <= ATTEMPTS && results.some(isUnavailable); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, attempt * WAIT))
    const unavailable = results.flatMap((result, index) => (isUnavailable(result) ? [index] : []))
    const retried = await importCall(
      to,
      unavailable.flatMap((index) => entries[index] ?? []),
      signal,
    )
    for (const [place, index] of unavailable.entries()) {
      const result = retried[place]
      if (result) results[index] = result
    }
  }
  if (results.some(isUnavailable)) throw new CommandFailure("The server isn't available.")
  return results
}

const ATTEMPTS = 5
const WAIT = 500 // ms

const isUnavailable = ({ error }: Result) => error?.code === 'server.unavailable'

/**
 * Imports entries in one call. If the call is rejected as a whole, it is split until the rejected user is found.
 */
async function importCall(
  to: Receiver,
  entries: readonly ReadableEntry[],
  signal: AbortSignal,
): Promise<Result[]> {
  const users = entries.map(({ user }) => user)
  const { withAdministrators, withEvents } = to
  try {
    const { results } = await to.deployment.persist(
      'post',
      'users/import',
      { json: { users, withAdministrators, withEvents }, signal },
      UserImportResponse,
    )
    if (results.length === entries.length) return results
    throw new CommandFailure("The server didn't return a result for every user.")
  } catch (error) {
    if (!(error instanceof ApiError) || !BODY_ERRORS.has(error.status)) throw error
    if (entries.length === 1)
      return [{ index: 0, status: 'rejected', error: { code: error.code, message: error.message } }]
    const half = Math.ceil(entries.length / 2)
    const first = await importCall(to, entries.slice(0, half), signal)
    return [...first, ...(await importCall(to, entries.slice(half), signal))]
  }
}

/** The error statuses that are caused by the request body, as opposed to the client or a temporary problem. */
const BODY_ERRORS = new Set([400, 413, 422])

function rejectionOf({ record, ...entry }: BatchEntry, result: Result | undefined): RejectedRecord {
  const at = { line: record.line, text: record.text }
  if ('problem' in entry) return { ...at, code: 'line', reason: entry.problem }
  const { code = 'unknown', message = '', details } = result?.error ?? {}
  return { ...at, code, reason: details ? `${message} ${details}` : message }
}

type RejectedRecord = { line: number; code: string; reason: string; text: string }
type RejectedFile = ReturnType<typeof openRejectedFile>

/**
 * Opens the file of rejected lines. The file contains each line unchanged, together with the reason. If an import was
 * interrupted, lines written after its last saved state are removed, because those users are sent again.
 */
export function openRejectedFile(file: string, keep: number) {
  if (keep === 0) removeFile(file)
  if (getFileSize(file) < keep)
    throw new CommandFailure(
      `${file} has lost rejected lines of the interrupted import: it has ${getFileSize(file)} of ${keep} bytes. Restore it, or delete the state of this import to start again. Existing users stay unchanged.`,
    )
  let handle: number | undefined
  let bytes = keep

  function open(): number {
    const newHandle = openSync(file, keep === 0 ? 'w' : 'r+', 0o600) // readable only by the owner, because the lines may contain passwords
    ftruncateSync(newHandle, keep)
    syncParentFolder(file)
    return newHandle
  }

  return {
    /** Appends lines. Returns the length of the file, once it is on the disk. */
    append(rejections: readonly RejectedRecord[]): number {
      if (rejections.length === 0) return bytes
      handle ??= open()
      bytes += writeDurably(
        handle,
        rejections.map((rejection) => `${JSON.stringify(rejection)}\n`).join(''),
        bytes,
      )
      return bytes
    },
    close(): void {
      if (handle !== undefined) closeSync(handle)
    },
  }
}
