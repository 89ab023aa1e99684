import { setTimeout as wait } from 'node:timers/promises'
import { hashSeconds } from './hashing.ts'
import { type Isolate, openIsolate } from './isolate.ts'
import { openPlace, type Place } from './place.ts'
import type { Row } from './row.ts'
import { openTown } from './virtual-user.ts'
import type { Counts } from './worker.ts'

const SIGN_IN_SECONDS = 60
const REFRESH_SECONDS = 20
/** People at once: enough that one isolate never waits for them. */
const PEOPLE = 8
/**
 * What one that is over may leave in the isolate, from half-way to the end; until then caches fill and code is compiled. Ours:
 * less than anything of a request that could be kept by mistake, and at most 20 MB for ten thousand.
 */
const MOST_LEFT = 2_000 // bytes
const QUARTERS = [1, 2, 3, 4]
const BETWEEN_LOOKS = 250
const MB = 1000 * 1000

type Bounds = { signInSeconds?: number; refreshSeconds?: number; people?: number }

/**
 * The production build under people who sign in one after another without a pause, then under applications that refresh.
 * In a server of its own: the others are not slowed by a debugger.
 */
export async function load(_: unknown, bounds: Bounds = {}): Promise<Row[]> {
  const place = await openPlace({ isInspected: true })
  const isolate = await openIsolate(place)
  try {
    return await soaks(place, isolate, bounds)
  } finally {
    isolate.close()
    await place.close()
  }
}

async function soaks(
  place: Place,
  isolate: Isolate,
  { signInSeconds = SIGN_IN_SECONDS, refreshSeconds = REFRESH_SECONDS, people = PEOPLE }: Bounds,
): Promise<Row[]> {
  const town = await openTown(place)
  const inhabitants = await Promise.all(Array.from({ length: people }, () => town.newInhabitant()))
  const hash = await hashSeconds(place)

  const signIns = await soak(place, {
    isolate,
    seconds: signInSeconds,
    tasks: inhabitants.map(({ signIn }) => signIn),
  })
  const connected = await Promise.all(inhabitants.map((each) => each.stayConnected()))
  const refreshes = await soak(place, { isolate, seconds: refreshSeconds, tasks: connected })

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

/** Each task is begun again as soon as it has ended, until the time is over. */
async function soak(place: Place, { isolate, seconds, tasks }: Work): Promise<Soak> {
  await counts(place)
  const start = performance.now()
  const elapsed = () => (performance.now() - start) / 1000
  let done = 0
  const errors: string[] = []
  const quarters: Soak['quarters'] = []

  async function watch() {
    for (const quarter of QUARTERS) {
      // A collection may take longer than a quarter.
      await wait(Math.max(0, (seconds * quarter) / QUARTERS.length - elapsed()) * 1000)
      const bytes = await isolate.usedBytes()
      quarters.push({ bytes, done })
    }
  }
  async function repeat(task: () => Promise<void>) {
    while (elapsed() < seconds) {
      try {
        await task()
        done++
      } catch (error) {
        errors.push(error instanceof Error ? error.message : String(error))
      }
    }
  }

  await Promise.all([watch(), ...tasks.map(repeat)])
  return { done, errors, seconds: elapsed(), quarters, trips: await counts(place) }
}

/** Since the last time somebody asked, once nothing is under way any more. */
async function counts({ bare }: Place): Promise<Counts> {
  for (;;) {
    const told = (await (await fetch(`${bare}/bench/counts`)).json()) as Counts
    if (told.pending === 0) return told
    await wait(BETWEEN_LOOKS)
  }
}
