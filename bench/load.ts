import { setTimeout as wait } from 'node:timers/promises'
import { hashSeconds } from './hashing.ts'
import { type Isolate, openIsolate } from './isolate.ts'
import { type LocalServer, openLocalServer } from './local-server.ts'
import type { BenchRow } from './row.ts'
import { openVirtualUsers } from './virtual-users.ts'
import type { StatementCounts } from './worker.ts'

const SIGN_IN_SECONDS = 60
const REFRESH_SECONDS = 20
/** The number of concurrent users, enough to keep one isolate busy. */
const USERS = 8
/**
 * The memory that each finished task may leave in the isolate in the second half of a run. In the first half, caches
 * fill and code is compiled. The limit is twice what sign-ins leave in 40 s (2.0 kB; 1.3 kB in 100 s, 0.8 kB in 240 s;
 * refreshes leave 10 bytes), and less than one leaked request.
 */
const MAX_LEFT = 4_000 // bytes
const QUARTERS = 4
const POLL_INTERVAL = 250
const MB = 1000 * 1000
/** The share of the sign-ins that hashing alone would allow (spec/budgets#load). */
const MIN_SHARE = 0.6

type Bounds = { signInSeconds?: number; refreshSeconds?: number; userCount?: number }

/**
 * Puts load on the production build: first users who sign in without a pause, then applications that refresh tokens.
 * It runs on its own server, because the debugger would slow down the other sections.
 */
export async function loadRows(_: unknown, bounds: Bounds = {}): Promise<BenchRow[]> {
  const server = await openLocalServer({ isInspected: true })
  const isolate = await openIsolate(server)
  try {
    return await runLoads(server, isolate, bounds)
  } finally {
    isolate.close()
    await server.close()
  }
}

async function runLoads(
  server: LocalServer,
  isolate: Isolate,
  { signInSeconds = SIGN_IN_SECONDS, refreshSeconds = REFRESH_SECONDS, userCount = USERS }: Bounds,
): Promise<BenchRow[]> {
  const virtualUsers = await openVirtualUsers(server)
  const users = await Promise.all(Array.from({ length: userCount }, () => virtualUsers.newVirtualUser()))
  const hash = await hashSeconds(server)

  const signIns = await runLoad(server, {
    isolate,
    seconds: signInSeconds,
    tasks: users.map(({ signIn }) => signIn),
  })
  const refreshTasks = await Promise.all(users.map((each) => each.connectOffline()))
  const refreshes = await runLoad(server, { isolate, seconds: refreshSeconds, tasks: refreshTasks })

  const rate = signIns.done / signIns.seconds
  const share = rate * hash
  return [
    {
      what: `complete sign-ins by ${userCount} concurrent users for ${signInSeconds} s, on this machine`,
      measured: `${rate.toFixed(1)}/s; ${share.toFixed(2)} of what hashing alone (${(hash * 1000).toFixed(0)} ms) would allow`,
      goal: `>= ${MIN_SHARE}`,
      isMet: share >= MIN_SHARE,
    },
    ...rowsOf('sign-ins', signIns),
    {
      what: `refreshed tokens by ${userCount} concurrent applications for ${refreshSeconds} s, on this machine`,
      measured: `${(refreshes.done / refreshes.seconds).toFixed(1)}/s`,
      goal: null,
      isMet: null,
    },
    ...rowsOf('refreshes', refreshes),
  ]
}

function rowsOf(what: string, { done, errors, trips, quarters }: Soak): BenchRow[] {
  const [, midpoint, , end] = quarters
  const bytesPerTask =
    end && midpoint && end.done > midpoint.done
      ? (end.bytes - midpoint.bytes) / (end.done - midpoint.done)
      : null
  return [
    {
      what: `errors in ${done + errors.length} ${what}`,
      measured: [errors.length, ...new Set(errors.slice(0, 3))].join('; '),
      goal: '0',
      isMet: errors.length === 0,
    },
    {
      what: `memory of the isolate after each quarter of the ${what}, and what each leaves in the second half`,
      measured: `${quarters.map(({ bytes }) => (bytes / MB).toFixed(1)).join(', ')} MB; ${bytesPerTask === null ? 'none was done' : `${Math.round(bytesPerTask)} bytes`}`,
      goal: `≤ ${MAX_LEFT} bytes`,
      isMet: bytesPerTask !== null && bytesPerTask <= MAX_LEFT,
    },
    {
      what: `database per one of the ${what}, under load: round trips (including those after the response), rows read, rows written`,
      measured: [trips.awaited + trips.afterwards, trips.read, trips.written]
        .map((count) => (count / done).toFixed(1))
        .join(', '),
      goal: null,
      isMet: null,
    },
  ]
}

type Soak = {
  done: number
  errors: string[]
  seconds: number
  /** The bytes in use and the number of finished tasks at the end of each quarter of the run. */
  quarters: { bytes: number; done: number }[]
  trips: StatementCounts
}

type Work = { isolate: Isolate; seconds: number; tasks: (() => Promise<void>)[] }

/**
 * Restarts each task as soon as it ends, until the time is up. All tasks pause between quarters, so that running tasks
 * do not count as leaked memory.
 */
async function runLoad(server: LocalServer, { isolate, seconds, tasks }: Work): Promise<Soak> {
  await takeCounts(server)
  const result: Soak = { done: 0, errors: [], seconds: 0, quarters: [], trips: NO_TRIPS }

  async function repeat(task: () => Promise<void>, isOver: () => boolean) {
    while (!isOver()) {
      try {
        await task()
        result.done++
      } catch (error) {
        result.errors.push(error instanceof Error ? error.message : String(error))
      }
    }
  }

  for (let quarter = 0; quarter < QUARTERS; quarter++) {
    const start = performance.now()
    const elapsed = () => (performance.now() - start) / 1000
    await Promise.all(tasks.map((task) => repeat(task, () => elapsed() >= seconds / QUARTERS)))
    result.seconds += elapsed()
    result.trips = addCounts(result.trips, await takeCounts(server))
    // The second collection frees the objects that the first one finalised.
    await isolate.usedBytes()
    result.quarters.push({ bytes: await isolate.usedBytes(), done: result.done })
  }
  return result
}

const NO_TRIPS: StatementCounts = { awaited: 0, afterwards: 0, read: 0, written: 0, pending: 0 }

const addCounts = (one: StatementCounts, other: StatementCounts): StatementCounts => ({
  awaited: one.awaited + other.awaited,
  afterwards: one.afterwards + other.afterwards,
  read: one.read + other.read,
  written: one.written + other.written,
  pending: other.pending,
})

/** Returns the database calls since the previous call, once all work is done. */
async function takeCounts({ bare }: LocalServer): Promise<StatementCounts> {
  for (;;) {
    const counts = (await (await fetch(`${bare}/bench/counts`)).json()) as StatementCounts
    if (counts.pending === 0) return counts
    await wait(POLL_INTERVAL)
  }
}
