import type { z } from 'zod'
import { type ImportResult, UserImportAnswer } from '../../src/contract/user-import.schema.ts'
import { type Deployment, Refusal } from '../deployment.ts'
import { Failure } from '../failure.ts'
import { type Batch, type Entry, readBatches } from './batches.ts'
import type { Format } from './formats.ts'
import type { ImportState } from './import-state.ts'
import type { RejectedFile, Rejection } from './rejected.ts'

type Job = {
  file: string
  format: Format
  state: ImportState
  deployment: Deployment
  rejected: RejectedFile
  /** Users with internal roles are refused otherwise. */
  withAdministrators: boolean
  stopped: AbortSignal
  /** Everything up to here is done: the import may end now and go on here. */
  acknowledged(state: ImportState): void
}

type Receiver = Pick<Job, 'deployment' | 'withAdministrators'>

/** Calls on their way at once: the database does one transaction after the other, and the network is hidden behind it. */
const AT_ONCE = 4
/** How long what is on its way may still take when the operator wants to stop. */
const GRACE = 5_000 // ms

/** Sends a file in batches. They are acknowledged in the order of the file, whichever answer comes first. */
export async function importFile(job: Job): Promise<ImportState> {
  const { file, format, stopped, acknowledged } = job
  let { state } = job
  const onTheWay: { batch: Batch; outcome: Promise<Outcome> }[] = []
  const giveUp = new AbortController()
  stopped.addEventListener('abort', () => setTimeout(() => giveUp.abort(), GRACE).unref())

  async function acknowledgeFirst(): Promise<void> {
    const first = onTheWay.shift()
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
      const outcome = withOwnSignal(giveUp.signal, (signal) => send(job, batch, signal))
      // It is awaited in its turn; until then a failure must not count as unnoticed.
      outcome.catch(() => undefined)
      onTheWay.push({ batch, outcome })
      if (onTheWay.length === AT_ONCE) await acknowledgeFirst()
    }
    while (onTheWay.length > 0) await acknowledgeFirst()
  } catch (error) {
    if (giveUp.signal.aborted) return state
    if (!(error instanceof Failure)) throw error
    throw new Failure(`Stopped at line ${state.line}: ${error.message} The same command goes on from here.`)
  }
  return state
}

/** A signal that lives as long as the call: what hears a signal, with all it sends, is held as long as the signal lives. */
async function withOwnSignal<T>(signal: AbortSignal, call: (own: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController()
  const abort = () => own.abort()
  signal.addEventListener('abort', abort)
  try {
    return await call(own.signal)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

type Outcome = { created: number; existing: number; rejections: Rejection[] }

async function send(to: Receiver, { entries }: Batch, signal: AbortSignal): Promise<Outcome> {
  const good = entries.filter((entry): entry is Good => 'user' in entry)
  const results = good.length === 0 ? [] : await judged(to, good, signal)
  const verdicts = new Map(good.map((entry, index) => [entry, results[index]]))
  const outcome: Outcome = { created: 0, existing: 0, rejections: [] }
  for (const entry of entries) {
    const result = 'user' in entry ? verdicts.get(entry) : undefined
    if (result?.status === 'created') outcome.created++
    else if (result?.status === 'existing') outcome.existing++
    else outcome.rejections.push(rejectionOf(entry, result))
  }
  return outcome
}

type Good = Extract<Entry, { user: unknown }>
type Result = z.output<typeof ImportResult>

/** One result for each, whatever it takes. */
async function judged(to: Receiver, entries: readonly Good[], signal: AbortSignal): Promise<Result[]> {
  const results = await called(to, entries, signal)
  // Of one call some may be done and others not: they are asked for again, and who is there already stays as they are.
  for (let attempt = 1; attempt <= ATTEMPTS && results.some(isUnavailable); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, attempt * WAIT))
    const again = results.flatMap((result, index) => (isUnavailable(result) ? [index] : []))
    const anew = await called(
      to,
      again.flatMap((index) => entries[index] ?? []),
      signal,
    )
    for (const [place, index] of again.entries()) {
      const result = anew[place]
      if (result) results[index] = result
    }
  }
  if (results.some(isUnavailable)) throw new Failure('The server is not available.')
  return results
}

const ATTEMPTS = 5
const WAIT = 500 // ms

const isUnavailable = ({ error }: Result) => error?.code === 'server.unavailable'

/** A call that is refused as a whole is taken apart until it is clear whose fault it is. */
async function called(to: Receiver, entries: readonly Good[], signal: AbortSignal): Promise<Result[]> {
  const users = entries.map(({ user }) => user)
  try {
    const { results } = await to.deployment.persist(
      'post',
      'users/import',
      { json: { users, withAdministrators: to.withAdministrators }, signal },
      UserImportAnswer,
    )
    if (results.length === entries.length) return results
    throw new Failure('The server has not answered for every user.')
  } catch (error) {
    if (!(error instanceof Refusal) || !AT_FAULT.has(error.status)) throw error
    if (entries.length === 1)
      return [{ index: 0, status: 'rejected', error: { code: error.code, message: error.message } }]
    const half = Math.ceil(entries.length / 2)
    const first = await called(to, entries.slice(0, half), signal)
    return [...first, ...(await called(to, entries.slice(half), signal))]
  }
}

/** What is asked, and not who asks or when. */
const AT_FAULT = new Set([400, 413, 422])

function rejectionOf({ record, ...entry }: Entry, result: Result | undefined): Rejection {
  const at = { line: record.line, text: record.text }
  if ('problem' in entry) return { ...at, code: 'line', reason: entry.problem }
  const { code = 'unknown', message = '', details } = result?.error ?? {}
  return { ...at, code, reason: details ? `${message} ${details}` : message }
}
