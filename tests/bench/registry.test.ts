import { describe, expect, it } from 'vitest'
import { createFixtures } from '../../bench/fixtures.ts'
import { measuredJourneys } from '../../bench/journeys.ts'
import { openLocalServer, runtimeSettings } from '../../bench/local-server.ts'

const MINUTE = 60_000
const LAZY = 'new_module_registry'

const flags = runtimeSettings().compatibilityFlags
const eager = flags.filter((flag) => flag !== LAZY)

/**
 * The flag has no date at which it becomes the default, and an operator may turn it off (ADR-0067). One file is what chunks
 * are rolled back to.
 */
const starts: [name: string, options: NonNullable<Parameters<typeof openLocalServer>[0]>][] = [
  ['chunks, each compiled when it is imported', { flags }],
  ['chunks, compiled with the start', { flags: eager }],
  ['one file', { flags: eager, hasChunks: false }],
]

/** What an application reads before a sign-in; the same for every deployment at one address. */
const documents = ['/oidc/.well-known/openid-configuration', '/api/openapi.json', '/api/.well-known/phrases']

describe('the Worker, bundled as', { timeout: 2 * MINUTE }, () => {
  const answers = new Map<string, string>()

  it('is configured to compile a chunk when it is imported', () => {
    expect(flags).toContain(LAZY)
  })

  it.each(starts)('%s: answers documents, pages, an authorization and its tokens', async (_name, options) => {
    const server = await openLocalServer(options)
    try {
      const fixtures = await createFixtures(server) // a token for the management API, and calls of it
      const statuses = new Map<string, number>()
      const record = async (name: string, call: () => Promise<Response>) => {
        const response = await call()
        statuses.set(name, response.status)
        return response
      }
      await measuredJourneys['sign-in with a password']?.(fixtures, record)
      expect(Object.fromEntries(statuses)).toMatchObject({
        'GET /oidc/auth without a session': 303,
        'GET a page': 200,
        'POST /oidc/token with a code': 200,
      })
      const { keys } = (await (await fixtures.fetch('/oidc/jwks')).json()) as { keys: { use: string }[] }
      expect(keys.map(({ use }) => use)).toEqual(['sig', 'sig'])
      for (const path of documents) {
        const response = await fixtures.fetch(path)
        const text = (await response.text()).replaceAll(server.bare, 'https://id.example')
        expect([path, response.status, text.length > 100]).toEqual([path, 200, true])
        expect(text).toBe(answers.get(path) ?? text)
        answers.set(path, text)
      }
    } finally {
      await server.close()
    }
  })
})
