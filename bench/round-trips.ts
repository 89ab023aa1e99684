import { createFixtures, type Fixtures } from './fixtures.ts'
import { type MeasuredJourney, measuredJourneys } from './journeys.ts'
import type { LocalServer } from './local-server.ts'
import type { BenchRow } from './row.ts'

/** The number of round trips that a response may wait for (spec/budgets#round-trips). */
const goals: Record<string, number> = {
  'GET a page': 0,
  'GET /oidc/auth without a session': 0,
  'PUT /interaction with a password': 1,
  'PATCH /interaction/identifiers with a code': 1,
  'POST /interaction/submit': 2,
  'POST /interaction/submit to register': 2,
  'GET /oidc/auth/… (resume)': 2,
  'GET /oidc/auth silent': 2,
  'POST /oidc/token with a code': 2,
  'POST /oidc/token with a refresh token': 2,
}

/** The goals of whole journeys: round trips that responses wait for, and rows written (spec/budgets#journey-costs). */
const journeyGoals: Record<string, { awaited: number; written: number }> = {
  'sign-in with a password': { awaited: 5, written: 30 },
  'registration with a code': { awaited: 12, written: 45 },
  'use of a refresh token': { awaited: 2, written: 8 },
}

/**
 * The number of runs. After five seconds, the next request reads the settings again, so the cheapest run is the one
 * with warm caches.
 */
const RUNS = 4

export type CallCost = { awaited: number; afterwards: number; read: number; written: number }

/** Measures what each call of each journey costs in D1, and what each journey costs in total. */
export async function roundTripRows(server: LocalServer): Promise<BenchRow[]> {
  const fixtures = await createFixtures(server)
  const calls = new Map<string, CallCost>()
  const sums: BenchRow[] = []
  for (const [name, journey] of Object.entries(measuredJourneys)) {
    const costs = await warmCosts(fixtures, journey)
    for (const [call, cost] of costs) calls.set(call, cost)
    sums.push(journeyRow(name, totalCost([...costs.values()])))
  }
  return [...[...calls].map(([call, cost]) => row(call, cost)), ...sums]
}

/** Runs the journey several times. Returns the lowest cost of each call. */
export async function warmCosts(
  fixtures: Fixtures,
  journey: MeasuredJourney,
): Promise<Map<string, CallCost>> {
  const cheapest = new Map<string, CallCost>()
  for (let run = 0; run < RUNS; run++) {
    await journey(fixtures, async (name, call) => {
      await fixtures.counts()
      const response = await call()
      if (response.status >= 400) throw new Error(`${name}: ${response.status} ${await response.text()}`)
      const cost = await fixtures.counts()
      const best = cheapest.get(name)
      if (!best || cost.awaited < best.awaited) cheapest.set(name, cost)
      return response
    })
  }
  return cheapest
}

function row(call: string, cost: CallCost): BenchRow {
  const goal = goals[call]
  return {
    what: `D1: ${call}`,
    measured: describeCost(cost),
    goal: goal === undefined ? null : `<= ${goal}`,
    isMet: goal === undefined ? null : cost.awaited <= goal,
  }
}

function journeyRow(name: string, cost: CallCost): BenchRow {
  const goal = journeyGoals[name]
  return {
    what: `D1, all calls: ${name}`,
    measured: describeCost(cost),
    goal: goal === undefined ? null : `<= ${goal.awaited}, ${goal.written} written`,
    isMet: goal === undefined ? null : cost.awaited <= goal.awaited && cost.written <= goal.written,
  }
}

const describeCost = ({ awaited, afterwards, read, written }: CallCost) =>
  `${awaited}${afterwards > 0 ? ` (+${afterwards} after the response)` : ''}, ${read} rows read, ${written} written`

export const totalCost = (costs: readonly CallCost[]): CallCost =>
  costs.reduce((all, cost) => ({
    awaited: all.awaited + cost.awaited,
    afterwards: all.afterwards + cost.afterwards,
    read: all.read + cost.read,
    written: all.written + cost.written,
  }))
