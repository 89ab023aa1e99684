import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixtures, type Fixtures } from '../../bench/fixtures.ts'
import { measuredJourneys } from '../../bench/journeys.ts'
import { type LocalServer, openLocalServer, runtimeSettings } from '../../bench/local-server.ts'
import { type CallCost, totalCost, warmCosts } from '../../bench/round-trips.ts'
import { MINUTE } from '../../src/contract/time.ts'
import { sweepOfProcess } from '../kit/sweep.ts'

/** The bundle that is deployed: minified, in workerd. */
const LAZY = 'new_module_registry'

const flags = runtimeSettings().compatibilityFlags
const eager = flags.filter((flag) => flag !== LAZY)

const deployed = { flags }
const compiledAtStart = { flags: eager }

/**
 * The flag has no date at which it becomes the default, and an operator may turn it off (ADR-0067). One file is what chunks
 * are rolled back to.
 */
const starts: [name: string, options: NonNullable<Parameters<typeof openLocalServer>[0]>][] = [
  ['chunks, each compiled when it is imported', deployed],
  ['chunks, compiled with the start', compiledAtStart],
  ['one file', { flags: eager, hasChunks: false }],
]

/** What an application reads before a sign-in; the same for every deployment at one address. */
const documents = ['/oidc/.well-known/openid-configuration', '/api/openapi.json', '/api/.well-known/phrases']
const answers = new Map<string, string>()

/**
 * spec/budgets#journey-costs. The bounds may grow with an index, never with the number of users; raise them here with the
 * change that needs it.
 */
const most: Record<keyof typeof measuredJourneys, Pick<CallCost, 'awaited' | 'read' | 'written'>> = {
  'sign-in with a password': { awaited: 7, read: 97, written: 90 },
  'registration with a code': { awaited: 14, read: 125, written: 132 },
  'silent sign-in': { awaited: 4, read: 40, written: 28 },
  'use of a refresh token': { awaited: 2, read: 28, written: 24 },
}

it('the Worker is configured to compile a chunk when it is imported', () => {
  expect(flags).toContain(LAZY)
})

const tried = sweepOfProcess().isExhaustive ? starts : starts.filter(([, options]) => options === deployed)

describe.each(tried)('the Worker, bundled as %s,', { timeout: 2 * MINUTE }, (_name, options) => {
  let server: LocalServer
  let fixtures: Fixtures // a token for the management API, and calls of it
  beforeAll(async () => {
    server = await openLocalServer(options)
    fixtures = await createFixtures(server)
  }, 3 * MINUTE)
  afterAll(() => server?.close())

  it('answers documents, pages, an authorization and its tokens', async () => {
    const statuses = new Map<string, number>()
    let page = ''
    const record = async (name: string, call: () => Promise<Response>) => {
      const response = await call()
      statuses.set(name, response.status)
      if (name === 'GET a page') page = await response.clone().text()
      return response
    }
    await measuredJourneys['sign-in with a password']?.(fixtures, record)
    expect(Object.fromEntries(statuses)).toMatchObject({
      'GET /oidc/auth without a session': 303,
      'GET a page': 200,
      'POST /oidc/token with a code': 200,
    })
    // The page of its own chunk, and not one without content.
    expect(page).toContain('<form')
    const { keys } = (await (await fixtures.fetch('/oidc/jwks')).json()) as { keys: { use: string }[] }
    expect(keys.map(({ use }) => use)).toEqual(['sig', 'sig', 'sig'])
    for (const path of documents) {
      const response = await fixtures.fetch(path)
      const text = (await response.text()).replaceAll(server.bare, 'https://id.example')
      expect([path, response.status, text.length > 100]).toEqual([path, 200, true])
      expect(text).toBe(answers.get(path) ?? text)
      answers.set(path, text)
    }
  })

  it.runIf(options === deployed).each(Object.keys(measuredJourneys))(
    'costs D1 no more than its bounds in a flow from an application to tokens: %s',
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
