import { createFixtures } from './fixtures.ts'
import { passwordSignIn } from './journeys.ts'
import type { LocalServer } from './local-server.ts'
import type { BenchRow } from './row.ts'

/**
 * The simulated round-trip times in milliseconds, for a database on another continent, KV nearby, and a user far from
 * the Worker.
 */
const DISTANCE = { d1: 60, kv: 10, user: 100 }

/**
 * The calls from the click that submits the password to the redirect that carries the code to the application.
 */
const legs = ['PUT /interaction with a password', 'POST /interaction/submit']

/**
 * The number of runs. The first run fills the caches, and settings are read again every five seconds, so the fastest
 * run of each leg is the one with warm caches.
 */
const RUNS = 6

type Leg = { name: string; time: number }

/**
 * Measures the time from the password to the code, with a delay before each request and before the Worker's calls to
 * its stores.
 */
export async function distanceRows(server: LocalServer): Promise<BenchRow[]> {
  const fixtures = await createFixtures(server)
  await fixtures.setDelays(DISTANCE)
  const fastest = new Map<string, Leg>()
  for (let run = 0; run < RUNS; run++) {
    await passwordSignIn(fixtures, async (name, call) => {
      // Wait until the previous call has no pending work.
      await fixtures.counts()
      const start = performance.now()
      await new Promise((resolve) => setTimeout(resolve, DISTANCE.user))
      const response = await call()
      const time = performance.now() - start
      const best = fastest.get(name)
      if (legs.includes(name) && (!best || time < best.time)) fastest.set(name, { name, time })
      return response
    })
  }
  await fixtures.setDelays({ d1: 0, kv: 0 })
  return [
    {
      what: `password to code, ${DISTANCE.d1} ms per D1 trip, ${DISTANCE.kv} ms per KV read, ${DISTANCE.user} ms to the user (simulated)`,
      measured: describeLegs([...fastest.values()]),
      goal: null,
      isMet: null,
    },
  ]
}

function describeLegs(measured: readonly Leg[]): string {
  const parts = measured.map(({ name, time }) => `${name} ${ms(time)}`)
  const [longest] = measured.toSorted((one, other) => other.time - one.time)
  return `${ms(total(measured))}: ${parts.join(', ')}; longest leg: ${longest?.name ?? 'none'}`
}

const total = (measured: readonly Leg[]) => measured.reduce((sum, { time }) => sum + time, 0)

const ms = (time: number) => `${Math.round(time)} ms`
