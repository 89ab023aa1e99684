import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { conformanceCommand, runPlan, runPlans } from '../../scripts/conformance.mjs'
import { createPlanConfiguration, type Deployment, plans } from '../../scripts/conformance-plans.mjs'
import { freePort } from '../kit/free-port.ts'

/**
 * Tests the requests that the command sends to a stub of the OpenID conformance suite.
 * `tests/journeys/applications/conformance.test.ts` tests that the suite's browser can use our pages with them.
 */

const WAITING = 'https://id.example.com/oidc/auth?client_id=first'

const documented = readFileSync('docs/development/conformance.md', 'utf8')
const { resource, ...deployment }: Deployment = JSON.parse(/```json\n(.*?)```/s.exec(documented)?.[1] ?? '')

type SuiteRequest = {
  method: string
  path: string
  query: Record<string, string>
  token: string | undefined
  body: unknown
}
type BrowserState = { urls: string[]; visited: string[]; runners: object[] }
type LogEntry = { msg: string; upload?: string }
let requests: SuiteRequest[]
let states: Record<string, { status: string; result?: string | null }[]>
let browser: BrowserState
let log: LogEntry[]

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
  if (pathname.startsWith('/api/runner/browser/')) return [200, browser]
  if (pathname.startsWith('/api/log/')) return [200, log]
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
  browser = { urls: [WAITING], visited: [], runners: [] }
  log = []
})

function newTerminal() {
  const lines: string[] = []
  return { lines, terminal: { write: (line: string) => lines.push(line), pause: async () => {} } }
}

async function run() {
  const { lines: written, terminal } = newTerminal()
  const ended = await runPlan(
    { suite: { server, token: 'a token' }, plan: plans.basic, deployment },
    terminal,
  )
  return { ...ended, written }
}

const ended = (result: string | null) => [{ status: 'FINISHED', result }]
const waiting = (polls: number) => Array.from({ length: polls }, () => ({ status: 'WAITING' }))

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
    'oidcc-prompt-login': ended('WARNING'),
  }
  const { lines, hasFailed } = await run()
  expect(hasFailed).toBe(true)
  expect(lines[2]).toContain(`| ${shown} |`)
})

const picture = { msg: 'The server must show an error page', upload: 'x1' }

// "modules that want a picture wait ten minutes: end them as REVIEW with the page named" (review of 2026-11, C3)
it('npm run conformance ends a module that only waits for a picture as REVIEW, and names the page', async () => {
  states = { 'oidcc-server': waiting(600), 'oidcc-prompt-login': ended('PASSED') }
  browser = { urls: [WAITING], visited: [WAITING], runners: [] }
  log = [{ msg: 'something else' }, picture]
  const { hasFailed, written } = await run()
  expect(hasFailed).toBe(false)
  expect(written.slice(1)).toEqual([
    'REVIEW oidcc-server',
    `  Upload a picture at ${server}/log-detail.html?log=oidcc-server: The server must show an error page ${WAITING}`,
    'PASSED oidcc-prompt-login',
  ])
  expect(states['oidcc-server']?.length).toBe(580)
})

it.each([
  {
    name: 'the browser is still busy',
    browserState: { visited: [WAITING], runners: [{}] },
    entries: [picture],
  },
  { name: 'a person has to open a page', browserState: { visited: [], runners: [] }, entries: [picture] },
  { name: 'no picture is missing', browserState: { visited: [WAITING], runners: [] }, entries: [] },
])('npm run conformance goes on waiting if $name', async ({ browserState, entries }) => {
  states = {
    'oidcc-server': [...waiting(100), { status: 'FINISHED', result: 'PASSED' }],
    'oidcc-prompt-login': ended('PASSED'),
  }
  browser = { urls: [WAITING], ...browserState }
  log = entries
  const { written } = await run()
  expect(written).toContain('PASSED oidcc-server')
})

it('npm run conformance gives up on a module that does not end', async () => {
  states = { 'oidcc-server': waiting(700), 'oidcc-prompt-login': ended('PASSED') }
  const { hasFailed, written } = await run()
  expect(hasFailed).toBe(true)
  expect(written).toContain('UNKNOWN oidcc-server')
})

it('npm run conformance reports an error from the suite', async () => {
  states = {}
  const other = { server: `${server}/nowhere` }
  const running = runPlan({ suite: other, plan: plans.basic, deployment }, newTerminal().terminal)
  await expect(running).rejects.toThrow('POST /nowhere/api/plan: 404 {"error":"not here"}')
})

it('npm run conformance -- all runs the plans for which the file has everything, and fails for the others', async () => {
  states = { 'oidcc-server': ended('PASSED'), 'oidcc-prompt-login': ended('PASSED') }
  const { lines, terminal } = newTerminal()
  const { user, decliner, fapi, ...few } = deployment
  const code = await runPlans(Object.keys(plans), { suite: { server }, deployment: few }, terminal)
  expect(lines).toEqual([
    'basic cannot run: the file has no user.',
    'form-post cannot run: the file has no user.',
    'rp-initiated-logout cannot run: the file has no user.',
    'back-channel-logout cannot run: the file has no user.',
    'fapi2 cannot run: the file has no user, decliner, fapi.',
    'fapi2-oauth cannot run: the file has no user, decliner, fapi, resource.',
    'fapi2-client-credentials cannot run: the file has no resource.',
    '\nconfig',
    `${server}/plan-detail.html?plan=plan-1`,
    'PASSED oidcc-server',
    'PASSED oidcc-prompt-login',
    expect.stringContaining('| Module | Result |'),
    '\nRun: config. Left out: basic, form-post, rp-initiated-logout, back-channel-logout, fapi2, fapi2-oauth, fapi2-client-credentials.',
  ])
  expect(code).toBe(2)
})

it('npm run conformance exits with 2 for an unknown plan, or if the file has too little for the plan', async () => {
  expect(await conformanceCommand(['implicit', 'conformance.json'])).toBe(2)
  expect(await conformanceCommand(['all'])).toBe(2)
  const target = { suite: { server }, deployment }
  expect(await runPlans(['fapi2-oauth'], target, newTerminal().terminal)).toBe(2)
  expect(requests).toEqual([])
})

it('each plan gets its own clients, scope and resource', () => {
  const all = { ...deployment, ...(resource && { resource }) }
  const used = Object.entries(plans).map(([name, plan]) => {
    const { client, client2, resource: called } = createPlanConfiguration(plan, all, server)
    return [name, client.client_id, client2.client_id, client.scope?.includes('openid'), called.resourceUrl]
  })
  const me = 'https://id.example.com/oidc/me'
  const web = ['FIRST', 'SECOND', true, me]
  expect(used).toEqual([
    ['config', ...web],
    ['basic', ...web],
    ['form-post', ...web],
    ['rp-initiated-logout', ...web],
    ['back-channel-logout', ...web],
    ['fapi2', 'THIRD', 'FOURTH', true, me],
    ['fapi2-oauth', 'THIRD', 'FOURTH', false, resource?.url],
    ['fapi2-client-credentials', 'FIFTH', 'SIXTH', false, resource?.url],
  ])
})

// "`*/test/*/callback*` matches our own error page" (review of 2026-11, C3)
it('the patterns for pages of the suite begin with its URL', () => {
  const atSuite = { ...deployment, suite: 'https://suite.example/' }
  const { browser: automations } = createPlanConfiguration(plans.basic, atSuite, server)
  const patterns = automations.flatMap(({ match, tasks }) => [match, ...tasks.map((task) => task.match)])
  const ours = 'https://id.example.com/'
  expect(patterns.filter((pattern) => !pattern.startsWith(ours))).toEqual([
    'https://suite.example/test/a/vestibule/callback*',
    'https://suite.example/test/a/vestibule/post_logout_redirect*',
  ])
})

it('docs/development/conformance.md names every plan and how to run it', () => {
  for (const [name, { name: plan }] of Object.entries(plans)) {
    expect(documented).toContain(`\`${plan}\``)
    expect(documented).toContain(`\`${name}\``)
  }
})
