import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixtures, type Fixtures } from '../../bench/fixtures.ts'
import { measuredJourneys } from '../../bench/journeys.ts'
import { type LocalServer, openLocalServer, runtimeSettings } from '../../bench/local-server.ts'
import { type CallCost, totalCost, warmCosts } from '../../bench/round-trips.ts'
import { MINUTE } from '../../src/contract/time.ts'
import { sweepOfProcess } from '../kit/sweep.ts'

/** The compatibility flag that makes workerd compile a chunk only when the chunk is imported. */
const LAZY = 'new_module_registry'

const flags = runtimeSettings().compatibilityFlags
const eager = flags.filter((flag) => flag !== LAZY)

/** The deployed configuration of the Worker: minified chunks in workerd. */
const deployed = { flags }
const compiledAtStart = { flags: eager }

/**
 * The Worker must also run without the flag, because an operator may turn it off (ADR-0067). It must also run
 * as a single file, which is the fallback if chunks have to be abandoned.
 */
const bundles: [name: string, options: NonNullable<Parameters<typeof openLocalServer>[0]>][] = [
  ['chunks, each compiled when it is imported', deployed],
  ['chunks, compiled with the start', compiledAtStart],
  ['one file', { flags: eager, hasChunks: false }],
]

/**
 * The documents that an application reads before a sign-in. Their contents must not depend on how the Worker
 * is bundled.
 */
const documents = ['/oidc/.well-known/openid-configuration', '/api/openapi.json', '/api/.well-known/phrases']
const documentTexts = new Map<string, string>()

/**
 * The maximum number of D1 round trips, rows read and rows written per measured use case
 * (spec/budgets#journey-costs). A limit may grow when an index is added, but never with the number of users.
 * Raise it in the change that needs it.
 */
const costBounds: Record<keyof typeof measuredJourneys, Pick<CallCost, 'awaited' | 'read' | 'written'>> = {
  'sign-in with a password': { awaited: 5, read: 100, written: 47 },
  'registration with a code': { awaited: 11, read: 115, written: 70 },
  'silent sign-in': { awaited: 4, read: 40, written: 13 },
  'use of a refresh token': { awaited: 2, read: 28, written: 10 },
}

it('the configuration makes workerd compile each chunk only when it is imported', () => {
  expect(flags).toContain(LAZY)
})

const testedBundles = sweepOfProcess().isExhaustive
  ? bundles
  : bundles.filter(([, options]) => options === deployed)

describe.each(testedBundles)('the Worker bundled as %s', { timeout: 2 * MINUTE }, (_name, options) => {
  let server: LocalServer
  let fixtures: Fixtures // a token for the management API, and requests that use it
  beforeAll(async () => {
    server = await openLocalServer(options)
    fixtures = await createFixtures(server)
  }, 3 * MINUTE)
  afterAll(() => server?.close())

  it('serves its documents and a page, and completes a sign-in', async () => {
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
    // The page is rendered by a separate chunk, so check that the page has content.
    expect(page).toContain('<form')
    const { keys } = (await (await fixtures.fetch('/oidc/jwks')).json()) as { keys: { use: string }[] }
    expect(keys.map(({ use }) => use)).toEqual(['sig', 'sig', 'sig'])
    for (const path of documents) {
      const response = await fixtures.fetch(path)
      const text = (await response.text()).replaceAll(server.bare, 'https://id.example')
      expect([path, response.status, text.length > 100]).toEqual([path, 200, true])
      expect(text).toBe(documentTexts.get(path) ?? text)
      documentTexts.set(path, text)
    }
  })

  it.runIf(options === deployed).each(Object.keys(measuredJourneys))(
    'stays within the database budget for "%s"',
    async (name) => {
      const journey = measuredJourneys[name]
      const bound = costBounds[name]
      if (!journey || !bound) throw new Error(`no bound for ${name}`)
      const { awaited, read, written } = totalCost([...(await warmCosts(fixtures, journey)).values()])
      expect(awaited).toBeLessThanOrEqual(bound.awaited)
      expect(read).toBeLessThanOrEqual(bound.read)
      expect(written).toBeLessThanOrEqual(bound.written)
      expect(Math.min(awaited, read, written)).toBeGreaterThan(0)
    },
  )
})
