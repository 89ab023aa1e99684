import { createFixtures } from './fixtures.ts'
import { measuredJourneys } from './journeys.ts'
import type { LocalServer } from './local-server.ts'
import type { BenchRow } from './row.ts'

/** Milliseconds of each round trip: a database on another continent, KV nearby, a user far from the Worker. */
const DISTANCE = { d1: 60, kv: 10, user: 100 }

/** The calls from the click that sends the password to the code on its way to the application. */
const legs = ['PUT /interaction with a password', 'POST /interaction/submit', 'GET /oidc/auth/… (resume)']

/** The first run fills the caches, and settings are read again every five seconds: the fastest of each leg is the warm one. */
const RUNS = 6

type Leg = { name: string; time: number }

/** From password to code, with delays in the running Worker's calls to its stores and before each request. */
export async function distanceRows(server: LocalServer): Promise<BenchRow[]> {
  const fixtures = await createFixtures(server)
  const signIn = measuredJourneys['sign-in with a password']
  if (!signIn) throw new Error('There is no journey to measure')
  await fixtures.setDelays(DISTANCE)
  const fastest = new Map<string, Leg>()
  for (let run = 0; run < RUNS; run++) {
    await signIn(fixtures, async (name, call) => {
      // No work of the call before is left.
      await fixtures.counts()
      const start = performance.now()
      await new Promise((resolve) => setTimeout(resolve, DISTANCE.user))
      const response = await call()
      const time = performance.now() - start
      const known = fastest.get(name)
      if (legs.includes(name) && (!known || time < known.time)) fastest.set(name, { name, time })
      return response
    })
  }
  await fixtures.setDelays({ d1: 0, kv: 0 })
  return [
    {
      what: `password to code, ${DISTANCE.d1} ms a D1 trip, ${DISTANCE.kv} ms a KV read, ${DISTANCE.user} ms to the user (simulated)`,
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
