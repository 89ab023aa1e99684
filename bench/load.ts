import { setTimeout as wait } from 'node:timers/promises'
import { hashSeconds } from './hashing.ts'
import { type Isolate, openIsolate } from './isolate.ts'
import { type LocalServer, openLocalServer } from './local-server.ts'
import type { Row } from './row.ts'
import { openPopulation } from './virtual-users.ts'
import type { Counts } from './worker.ts'

const SIGN_IN_SECONDS = 60
const REFRESH_SECONDS = 20
/** People at once: enough that one isolate never waits for them. */
const PEOPLE = 8
/**
 * What one that is over may leave in the isolate, from half-way to the end; until then caches fill and code is compiled. Ours:
 * twice what was seen of sign-ins in 40 s (2.0 kB; 1.3 in 100 s, 0.8 in 240 s: what is compiled; refreshes leave 10 bytes), and less than a
 * request that is kept by mistake.
 */
const MOST_LEFT = 4_000 // bytes
const QUARTERS = 4
const BETWEEN_LOOKS = 250
const MB = 1000 * 1000

type Bounds = { signInSeconds?: number; refreshSeconds?: number; people?: number }

/**
 * The production build under people who sign in one after another without a pause, then under applications that refresh.
 * In a server of its own: the others are not slowed by a debugger.
 */
export async function load(_: unknown, bounds: Bounds = {}): Promise<Row[]> {
  const server = await openLocalServer({ isInspected: true })
  const isolate = await openIsolate(server)
  try {
    return await soaks(server, isolate, bounds)
  } finally {
    isolate.close()
    await server.close()
  }
}

async function soaks(
  server: LocalServer,
  isolate: Isolate,
  { signInSeconds = SIGN_IN_SECONDS, refreshSeconds = REFRESH_SECONDS, people = PEOPLE }: Bounds,
): Promise<Row[]> {
  const population = await openPopulation(server)
  const inhabitants = await Promise.all(Array.from({ length: people }, () => population.newInhabitant()))
  const hash = await hashSeconds(server)

  const signIns = await soak(server, {
    isolate,
    seconds: signInSeconds,
    tasks: inhabitants.map(({ signIn }) => signIn),
  })
  const connected = await Promise.all(inhabitants.map((each) => each.stayConnected()))
  const refreshes = await soak(server, { isolate, seconds: refreshSeconds, tasks: connected })

  const rate = signIns.done / signIns.seconds
  return [
    {
      what: `complete sign-ins by ${people} people at once for ${signInSeconds} s, on this machine`,
      measured: `${rate.toFixed(1)}/s; ${(rate * hash).toFixed(2)} of what hashing alone (${(hash * 1000).toFixed(0)} ms) would allow`,
      goal: null,
      isMet: null,
    },
    ...rowsOf('sign-ins', signIns),
    {
      what: `refreshed tokens by ${people} applications at once for ${refreshSeconds} s, on this machine`,
      measured: `${(refreshes.done / refreshes.seconds).toFixed(1)}/s`,
      goal: null,
      isMet: null,
    },
    ...rowsOf('refreshes', refreshes),
  ]
}

function rowsOf(what: string, { done, errors, trips, quarters }: Soak): Row[] {
  const [, half, , end] = quarters
  const left = end && half && end.done > half.done ? (end.bytes - half.bytes) / (end.done - half.done) : null
  return [
    {
      what: `errors in ${done + errors.length} ${what}`,
      measured: [errors.length, ...new Set(errors.slice(0, 3))].join('; '),
      goal: '0',
      isMet: errors.length === 0,
    },
    {
      what: `memory the isolate needs after each quarter of the ${what}, and what each leaves in the second half`,
      measured: `${quarters.map(({ bytes }) => (bytes / MB).toFixed(1)).join(', ')} MB; ${left === null ? 'none was done' : `${Math.round(left)} bytes`}`,
      goal: `≤ ${MOST_LEFT} bytes`,
      isMet: left !== null && left <= MOST_LEFT,
    },
    {
      what: `database per one of the ${what}, under load: round trips (after the answer too), rows read, rows written`,
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
  /** At the end of each: bytes in use, and how many were done until then. */
  quarters: { bytes: number; done: number }[]
  trips: Counts
}

type Work = { isolate: Isolate; seconds: number; tasks: (() => Promise<void>)[] }

/**
 * Each task is begun again as soon as it has ended, until the time is over. Between quarters everybody stops: what is under
 * way would be taken for what is left.
 */
async function soak(server: LocalServer, { isolate, seconds, tasks }: Work): Promise<Soak> {
  await counts(server)
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
    result.trips = added(result.trips, await counts(server))
    // What one collection finds unused, the next one frees.
    await isolate.usedBytes()
    result.quarters.push({ bytes: await isolate.usedBytes(), done: result.done })
  }
  return result
}

const NO_TRIPS: Counts = { awaited: 0, afterwards: 0, read: 0, written: 0, pending: 0 }

const added = (one: Counts, other: Counts): Counts => ({
  awaited: one.awaited + other.awaited,
  afterwards: one.afterwards + other.afterwards,
  read: one.read + other.read,
  written: one.written + other.written,
  pending: other.pending,
})

/** Since the last time somebody asked, once nothing is under way any more. */
async function counts({ bare }: LocalServer): Promise<Counts> {
  for (;;) {
    const told = (await (await fetch(`${bare}/bench/counts`)).json()) as Counts
    if (told.pending === 0) return told
    await wait(BETWEEN_LOOKS)
  }
}
