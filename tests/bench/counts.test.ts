import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixtures, type Fixtures } from '../../bench/fixtures.ts'
import { measuredJourneys } from '../../bench/journeys.ts'
import { type LocalServer, openLocalServer } from '../../bench/local-server.ts'
import { type CallCost, totalCost, warmCosts } from '../../bench/round-trips.ts'

const MINUTE = 60_000

/**
 * spec/budgets#journey-costs, on the bundle that is deployed: minified, in workerd. The bounds may grow with an index, never with
 * the number of users; raise them here with the change that needs it.
 */
describe('the cost in D1 of a flow from an application to tokens', { timeout: 2 * MINUTE }, () => {
  let server: LocalServer
  let fixtures: Fixtures
  beforeAll(async () => {
    server = await openLocalServer()
    fixtures = await createFixtures(server)
  }, 3 * MINUTE)
  afterAll(() => server?.close())

  const most: Record<keyof typeof measuredJourneys, Pick<CallCost, 'awaited' | 'read' | 'written'>> = {
    'sign-in with a password': { awaited: 7, read: 95, written: 90 },
    'registration with a code': { awaited: 14, read: 125, written: 130 },
    'silent sign-in': { awaited: 4, read: 40, written: 28 },
    'use of a refresh token': { awaited: 2, read: 28, written: 24 },
  }

  it.each(Object.keys(measuredJourneys))(
    '%s: round trips that an answer waits for, rows read and written',
    async (name) => {
      const journey = measuredJourneys[name]
      const bound = most[name]
      if (!journey || !bound) throw new Error(`no bound for ${name}`)
      const { awaited, read, written } = totalCost([...(await warmCosts(fixtures, journey)).values()])
      expect(awaited).toBeLessThanOrEqual(bound.awaited)
      expect(read).toBeLessThanOrEqual(bound.read)
      expect(written).toBeLessThanOrEqual(bound.written)
      expect(Math.min(awaited, read, written)).toBeGreaterThan(0)
    },
  )
})
