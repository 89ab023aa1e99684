import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { conformanceCommand, runPlan } from '../../scripts/conformance.mjs'
import { plans } from '../../scripts/conformance-plans.mjs'
import { freePort } from '../kit/free-port.ts'

/**
 * Tests the requests that the command sends to a stub of the OpenID conformance suite. A run against a real suite is
 * described in docs/development/conformance.md#openid.
 */

const WAITING = 'https://id.example.com/oidc/auth?client_id=first'

const documented = readFileSync('docs/development/conformance.md', 'utf8')
const deployment = JSON.parse(/```json\n(.*?)```/s.exec(documented)?.[1] ?? '')

type SuiteRequest = {
  method: string
  path: string
  query: Record<string, string>
  token: string | undefined
  body: unknown
}
let requests: SuiteRequest[]
let states: Record<string, { status: string; result?: string | null }[]>

async function respondTo(request: IncomingMessage): Promise<[number, object]> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://suite')
  const content = await text(request)
  const body: unknown = content === '' ? undefined : JSON.parse(content)
  const query = Object.fromEntries(searchParams)
  const { method = '' } = request
  requests.push({ method, path: pathname, query, token: request.headers.authorization, body })
  if (pathname === '/api/plan') {
    const modules = [
      { testModule: 'oidcc-server', variant: { response_type: 'code' } },
      { testModule: 'oidcc-prompt-login' },
    ]
    return [201, { id: 'plan-1', modules }]
  }
  if (pathname === '/api/runner') return [201, { id: query.test }]
  if (pathname.startsWith('/api/runner/browser/')) return [200, { urls: [WAITING], visited: [] }]
  if (pathname.startsWith('/api/info/')) return [200, states[pathname.slice(10)]?.shift() ?? {}]
  return pathname.startsWith('/api/runner/') ? [200, {}] : [404, { error: 'not here' }]
}

const suite = createServer(async (request, response) => {
  const [status, answer] = await respondTo(request)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
const port = await freePort()
const server = `http://127.0.0.1:${port}`

beforeAll(() => new Promise<void>((resolve) => suite.listen(port, '127.0.0.1', resolve)))
afterAll(() => {
  suite.closeAllConnections()
  suite.close()
})
beforeEach(() => {
  requests = []
})

async function run() {
  const lines: string[] = []
  const terminal = { write: (line: string) => lines.push(line), pause: async () => {} }
  const ended = await runPlan(
    { suite: { server, token: 'a token' }, plan: plans.basic, deployment },
    terminal,
  )
  return { ...ended, written: lines }
}

it('npm run conformance runs the modules of a plan in order, and prints a table of their results', async () => {
  states = {
    'oidcc-server': [
      { status: 'CREATED', result: null },
      { status: 'CONFIGURED' },
      { status: 'WAITING' },
      { status: 'WAITING' },
      { status: 'FINISHED', result: 'PASSED' },
    ],
    'oidcc-prompt-login': [{ status: 'RUNNING' }, { status: 'FINISHED', result: 'REVIEW' }],
  }
  const { lines, hasFailed, written } = await run()
  expect(hasFailed).toBe(false)
  expect(lines).toEqual([
    '| Module | Result |',
    '| --- | --- |',
    `| [oidcc-server](${server}/log-detail.html?log=oidcc-server) | PASSED |`,
    `| [oidcc-prompt-login](${server}/log-detail.html?log=oidcc-prompt-login) | REVIEW |`,
  ])
  expect(written).toEqual([
    `${server}/plan-detail.html?plan=plan-1`,
    `Open ${WAITING}`,
    'PASSED oidcc-server',
    'REVIEW oidcc-prompt-login',
  ])
  expect(new Set(requests.map(({ token }) => token))).toEqual(new Set(['Bearer a token']))
  const [plan, first] = requests
  expect(plan).toMatchObject({ method: 'POST', path: '/api/plan' })
  expect(plan?.query.planName).toBe('oidcc-basic-certification-test-plan')
  expect(JSON.parse(plan?.query.variant ?? '')).toEqual({
    server_metadata: 'discovery',
    client_registration: 'static_client',
  })
  expect(plan?.body).toMatchObject({
    alias: 'vestibule',
    server: { discoveryUrl: 'https://id.example.com/oidc/.well-known/openid-configuration' },
    client: { client_id: 'FIRST', client_secret: '…' },
    client2: { client_id: 'SECOND', client_secret: '…' },
    browser: [
      { match: 'https://id.example.com/oidc/auth*' },
      { match: 'https://id.example.com/oidc/session/end*' },
    ],
  })
  expect(first?.query).toEqual({ test: 'oidcc-server', plan: 'plan-1', variant: '{"response_type":"code"}' })
  const ran = requests.map(({ method, path }) => `${method} ${path}`)
  expect(ran.indexOf('POST /api/runner/oidcc-server')).toBeGreaterThan(0)
  expect(ran.lastIndexOf('GET /api/info/oidcc-server')).toBeLessThan(ran.lastIndexOf('POST /api/runner'))
})

it.each([
  { status: 'FINISHED', result: 'FAILED', shown: 'FAILED' },
  { status: 'FINISHED', result: null, shown: 'UNKNOWN' },
  { status: 'INTERRUPTED', result: 'UNKNOWN', shown: 'INTERRUPTED' },
])('npm run conformance treats the result $shown as a failure', async ({ status, result, shown }) => {
  states = {
    'oidcc-server': [{ status, result }],
    'oidcc-prompt-login': [{ status: 'FINISHED', result: 'WARNING' }],
  }
  const { lines, hasFailed } = await run()
  expect(hasFailed).toBe(true)
  expect(lines[2]).toContain(`| ${shown} |`)
})

it('npm run conformance reports an error from the suite', async () => {
  states = {}
  const terminal = { write: () => {}, pause: async () => {} }
  const plan = { name: 'a plan', variant: {} }
  const other = { server: `${server}/nowhere` }
  const running = runPlan({ suite: other, plan, deployment }, terminal)
  await expect(running).rejects.toThrow('POST /nowhere/api/plan: 404 {"error":"not here"}')
})

it('npm run conformance exits with 2 for an unknown plan', async () => {
  expect(await conformanceCommand(['implicit', 'conformance.json'])).toBe(2)
})

it('docs/development/conformance.md names every plan and how to run it', () => {
  for (const [name, { name: plan }] of Object.entries(plans)) {
    expect(documented).toContain(`\`${plan}\``)
    expect(documented).toContain(`\`${name}\``)
  }
})
