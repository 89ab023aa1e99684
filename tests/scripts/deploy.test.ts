import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { deployCommand } from '../../scripts/deploy.mjs'
import {
  findHostsProblem,
  planDeployment,
  resolveHosts,
  writeSettings,
} from '../../scripts/deployed-hosts.mjs'
import { mergeTables } from '../../scripts/deployment-config.mjs'
import { createManagementSecret, showFirstAdministrator } from '../../scripts/first-administrator.mjs'
import { type Binding, chooseDatabase, findRemovedBindings } from '../../scripts/live-worker.mjs'
import { runProgram } from '../../scripts/processes.mjs'
import { root } from '../../scripts/root.mjs'
import { MINUTE } from '../../src/contract/time.ts'
import { sweepOfProcess } from '../kit/sweep.ts'

const DATABASE = '11111111-1111-4111-8111-111111111111'
const LIVE_DATABASE = { type: 'd1', name: 'DB', id: DATABASE }

/**
 * Starting wrangler takes a second of CPU time, and a deployment starts it three to six times. The tests of this file
 * therefore make few deployments, and each covers several requirements. The exhaustive run makes the others; their
 * decisions are also tested below without wrangler.
 */
const { isExhaustive } = sweepOfProcess()

describe('a deployment', { timeout: 4 * MINUTE }, () => {
  let firstOverlay = ''

  it('creates and migrates the database, deploys the code, and prints an invitation link', async () => {
    const { calls, code, stdout, toml, overlay } = await deployTo(
      { databases: [], migrations: 'work' },
      { run: inSeparateProcess },
    )
    // The workers.dev host is known only after the first upload. The Worker serves no requests until the second upload.
    expect(calls).toEqual([
      'create database vestibule',
      'migrate',
      'record the alteration',
      'upload without HOSTS',
      `upload ${FIRST}`,
    ])
    expect(code).toBe(0)
    expect(stdout).toContain('https://id.example.com/account/invitation?token=stub')
    expect(toml).toBe(small)
    firstOverlay = overlay
  })

  /** A deployment from another clone, whose configuration names another database than that of the live version. */
  const fromAnotherClone = (): Account => ({
    databases: ['vestibule', 'renamed'],
    migrations: 'work',
    toml: small.replace('database_name = "vestibule"', 'database_name = "renamed"'),
    live: [LIVE_DATABASE, { type: 'plain_text', name: 'HOSTS', text: 'id.example.com' }],
  })

  // The next test covers the database of the live version, and a table below its hosts.
  it.runIf(isExhaustive)(
    'from another clone migrates the database of the live version, and keeps its hosts',
    async () => {
      const { calls, code, toml, overlay } = await deployTo({
        ...fromAnotherClone(),
        secret: 'of-the-operator',
      })
      expect([code, calls]).toEqual([
        0,
        ['migrate', 'record the alteration', 'upload id.example.com', 'workers.dev off'],
      ])
      expect(toml).toBe(fromAnotherClone().toml)
      expect(overlay).toMatch(/^HOSTS = "id\.example\.com"$/m)
    },
  )

  it('keeps the old code when a migration fails', async () => {
    // The migration begins, although the configuration names another database than that of the live version.
    const failed = await deployTo(
      { ...fromAnotherClone(), migrations: 'fail' },
      { args: ['--host', 'id.example.com'] },
    )
    expect([failed.calls, failed.code, failed.overlay]).toEqual([['migrate'], 1, ''])
  })

  const changesNothing: { case: string; account: Partial<Account>; args?: string[] }[] = [
    { case: 'an option is misspelt', account: {}, args: ['--dryrun'] },
    { case: 'the command line names another Worker', account: {}, args: ['--name', 'vestibule-staging'] },
    { case: 'the live version cannot be read', account: { live: 'unreadable' } },
    { case: 'it would leave the D1 of the live version', account: { live: [LIVE_DATABASE], libsql: true } },
    {
      case: 'it would remove a binding',
      account: { live: [LIVE_DATABASE, { type: 'r2_bucket', name: 'ASSET_BUCKET' }] },
    },
  ]
  it.each(isExhaustive ? changesNothing : changesNothing.slice(0, 3))(
    'changes nothing if $case',
    async ({ account, args }) => {
      const deployed = await deployTo({ databases: [], migrations: 'work', ...account }, args && { args })
      expect([deployed.code, deployed.calls, deployed.overlay]).toEqual([1, [], ''])
    },
  )

  it('adds hosts, migrates libSQL instead of D1, and keeps the old host and the secret', async () => {
    const hosts = `${FIRST} id.example.com:8443 admin.example.com=default/console`
    const { calls, code, stdout, overlay } = await deployTo(
      {
        databases: ['vestibule'],
        libsql: true,
        migrations: 'work',
        overlay: firstOverlay,
        secret: 'of-the-operator',
      },
      { args: ['--host', hosts] },
    )
    // The workers.dev host must be kept, because applications still use it as the issuer.
    expect([code, calls]).toEqual([0, ['migrate libSQL', 'record the alteration', `upload ${hosts}`]])
    expect(overlay).toMatch(/^workers_dev = true$/m)
    expect(overlay).toContain(
      'routes = [{ pattern = "id.example.com", custom_domain = true }, { pattern = "admin.example.com", custom_domain = true }]',
    )
    expect(overlay.match(/^HOSTS = .*$/gm)).toEqual([`HOSTS = "${hosts}"`])
    expect(stdout).toContain('https://id.example.com/account/invitation?token=stub')
  })

  it.runIf(isExhaustive)(
    'accepts settings in wrangler.toml, and prints an invitation link only if the secret is provided',
    async () => {
      const routes =
        'workers_dev = false\nroutes = [{ pattern = "id.example.com", custom_domain = true }]\n\n'
      const toml = `${routes}${small}\n[vars]\nHOSTS = "id.example.com"\n`
      const again = await deployTo({
        databases: ['vestibule'],
        libsql: true,
        migrations: 'work',
        toml,
        hasSecret: true,
      })
      expect([again.code, again.calls]).toEqual([
        0,
        ['migrate libSQL', 'record the alteration', 'upload id.example.com', 'workers.dev off'],
      ])
      expect([again.toml, again.overlay]).toEqual([toml, ''])
      expect(again.stdout).toMatch(
        /^Move HOSTS, routes, workers_dev from \S+wrangler\.toml to \S+wrangler\.local\.toml/m,
      )
      expect(again.stdout).not.toContain('/account/invitation')
    },
  )

  it('shows its options without deploying', async () => {
    const { calls, code, stdout } = await deployTo(
      { databases: [], migrations: 'work' },
      { args: ['--help'] },
    )
    expect([calls, code, stdout]).toEqual([[], 0, expect.stringContaining('--allow-removal')])
  })

  it('rejects an invalid host before it changes anything', async () => {
    const { calls, code, overlay } = await deployTo(
      { databases: [], migrations: 'work' },
      { args: ['--host', 'https://id.example.com/'] },
    )
    expect([calls, code, overlay]).toEqual([[], 1, ''])
  })
})

describe('a deployment’s first administrator', { timeout: MINUTE }, () => {
  it("is invited by the operator if only the operator knows the Worker's secret", async () => {
    const { stubApi } = await cloudflare({ databases: [], migrations: 'work', hasSecret: true })
    stubApi()
    expect(await createManagementSecret(['--name', 'vestibule'])).toBeNull()
    const logged = vi.spyOn(console, 'log').mockReturnValue()
    onTestFinished(() => logged.mockRestore())
    await showFirstAdministrator({ host: 'id.example.com', isFirst: true, secret: undefined })
    expect(logged.mock.calls.join()).toContain('VESTIBULE_CLIENT_SECRET=… npm run admin -- invite')
  })
})

const small = readFileSync(path.join(root, 'tests/scripts/small-worker/wrangler.toml'), 'utf8')
const FIRST = 'vestibule.stub.workers.dev'

describe('a deployment’s hosts', () => {
  it.each([
    { environment: undefined, toml: 'name = "a"\n\n[vars]\nA = "1"\n' },
    { environment: 'staging', toml: 'name = "a"\n' },
    { environment: 'staging', toml: 'name = "a"\n[env.staging]\nname = "b"\n[env.staging.vars]\nA = "1"\n' },
  ])('are written to the overlay, which remains valid (%#)', ({ environment, toml }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-toml-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const config = path.join(folder, 'wrangler.toml')
    writeFileSync(config, toml)
    const settings = { hosts: 'id.example.com', domains: ['id.example.com'], workersDev: false }
    writeSettings(config, environment, settings)
    expect(unstable_readConfig({ config, env: environment })).toMatchObject({
      workers_dev: false,
      routes: [{ pattern: 'id.example.com', custom_domain: true }],
      vars: { HOSTS: 'id.example.com', ...(toml.includes('A =') && { A: '1' }) },
    })
  })

  const liveHosts = { type: 'plain_text', name: 'HOSTS', text: 'id.example.com' }
  it.each([
    { name: 'those of the command line', argument: 'new.example.com', hosts: 'new.example.com' },
    { name: 'those of the configuration', vars: { HOSTS: 'own.example.com' }, hosts: 'own.example.com' },
    { name: 'those of the live version', hosts: 'id.example.com' },
  ])('are $name', ({ argument, vars = {}, hosts }) => {
    expect(resolveHosts({ vars }, { argument, live: [liveHosts] })?.hosts).toBe(hosts)
  })

  it.each([
    { hosts: 'https://id.example.com', write: 'id.example.com' },
    { hosts: 'id.example.com:443 http://Acme.example/in=acme', write: '"id.example.com acme.example=acme"' },
    { hosts: 'id.example.com,,*.id.example.com/=*', write: null },
    { hosts: 'id.example.com=a=b', write: null },
    { hosts: 'admin.example.com=default/console', write: null },
    { hosts: ' ', write: 'id.example.com' },
  ])('are rejected if they are "$hosts"', ({ hosts, write }) => {
    const problem = findHostsProblem({ hosts, source: 'argument' })
    expect(problem).toMatch(/^--host: /)
    expect(/ Write: --host (.*)$/.exec(problem ?? '')?.[1] ?? null).toBe(write)
  })

  it.each([
    { hosts: 'ID.example.com:8443', workersDev: false, domains: ['id.example.com'] },
    { hosts: FIRST, workersDev: undefined },
    { hosts: `${FIRST} id.example.com`, workersDev: true, domains: ['id.example.com'], first: FIRST },
    { hosts: '*.id.example.com=*', workersDev: false, unrouted: ['*.id.example.com'] },
  ])(
    'are given routes if $hosts is passed on the command line',
    ({ hosts, domains = [], unrouted = [], ...expected }) => {
      expect(findHostsProblem({ hosts, source: 'argument' })).toBe(null)
      const { settings, ...deployment } = planDeployment({ hosts, source: 'argument' }, { vars: {} })
      expect(settings).toEqual({ hosts, domains, workersDev: expected.workersDev })
      expect(deployment.unrouted).toEqual(unrouted)
      if (expected.first) expect(deployment.firstHost).toBe(expected.first)
    },
  )

  it.each([
    { hosts: 'id.example.com', workersDev: false },
    { hosts: 'id.example.com', workers_dev: true, workersDev: undefined },
    { hosts: 'id.example.com new.example.com', workersDev: false, unrouted: ['new.example.com'] },
    // By default, wrangler disables the workers.dev host if there is a route.
    { hosts: `${FIRST},id.example.com`, workersDev: true, first: FIRST },
    { hosts: `${FIRST},id.example.com`, workers_dev: false, unrouted: [FIRST], first: 'id.example.com' },
  ])(
    'keep the configured routes if the configuration names $hosts',
    ({ hosts, workers_dev, unrouted = [], ...expected }) => {
      const routes = [{ pattern: 'id.example.com', custom_domain: true }]
      const config = { vars: { HOSTS: hosts }, routes, workers_dev }
      const { settings, ...deployment } = planDeployment({ hosts, source: 'configuration' }, config)
      expect(settings).toEqual({ hosts: undefined, domains: [], workersDev: expected.workersDev })
      expect(deployment.unrouted).toEqual(unrouted)
      expect(deployment.firstHost).toBe(expected.first ?? 'id.example.com')
    },
  )
})

describe('the database of a deployment', () => {
  const databases = [
    { uuid: DATABASE, name: 'vestibule' },
    { uuid: 'other', name: 'other' },
  ]
  const live: Binding[] = [{ type: 'd1', name: 'DB', database_id: 'other' }]
  const configured = { binding: 'DB', database_name: 'vestibule' }

  it.each<{ name: string; facts: Partial<Parameters<typeof chooseDatabase>[0]>; expected: object }>([
    { name: 'is the one of the live version', facts: { live }, expected: { id: 'other' } },
    { name: 'is the one with the configured name', facts: {}, expected: { id: DATABASE } },
    { name: 'is created if there is none', facts: { databases: [] }, expected: { create: 'vestibule' } },
    {
      name: 'must be in the account',
      facts: { live, databases: databases.slice(0, 1) },
      expected: { problem: expect.stringContaining("The live version uses the database other, which isn't") },
    },
    {
      name: 'must not change',
      facts: { live, configured: { ...configured, database_id: DATABASE } },
      expected: { problem: expect.stringContaining(`but the configuration names ${DATABASE}`) },
    },
    {
      name: 'must not replace a libSQL server',
      facts: { live: [{ type: 'secret_text', name: 'LIBSQL_URL' }] },
      expected: { problem: expect.stringContaining('Set LIBSQL_URL') },
    },
    {
      name: 'must not replace another store',
      facts: { live: [{ type: 'plain_text', name: 'HOSTS' }] },
      expected: { problem: expect.stringContaining('has no database') },
    },
    {
      name: 'is new if only the secrets of the Worker exist',
      facts: { live: [{ type: 'secret_text', name: 'ROOT_SECRET' }], databases: [] },
      expected: { create: 'vestibule' },
    },
    {
      name: 'must have a name',
      facts: { configured: undefined },
      expected: { problem: expect.stringContaining('has no database_name') },
    },
  ])('$name', ({ facts, expected }) => {
    expect(chooseDatabase({ live: [], databases, configured, binding: 'DB', ...facts })).toEqual(expected)
  })
})

it('a deployment reports what it would remove from the live version, except for secrets and HOSTS', () => {
  const live = [
    { type: 'plain_text', name: 'HOSTS' },
    { type: 'plain_text', name: 'LOG_RETENTION_DAYS' },
    { type: 'secret_text', name: 'ROOT_SECRET' },
    { type: 'd1', name: 'DB' },
    { type: 'assets', name: 'ASSETS' },
    { type: 'ratelimit', name: 'TOKEN_RATE_LIMIT' },
    { type: 'r2_bucket', name: 'ASSET_BUCKET' },
  ]
  const config = {
    vars: {},
    assets: { binding: 'ASSETS' },
    d1_databases: [{ binding: 'DB' }],
    ratelimits: [{ name: 'TOKEN_RATE_LIMIT' }],
  }
  expect(findRemovedBindings(live, config)).toEqual(['LOG_RETENTION_DAYS', 'ASSET_BUCKET'])
  const vars = { LOG_RETENTION_DAYS: '30' }
  const added = { ...config, vars, r2_buckets: [{ binding: 'ASSET_BUCKET' }] }
  expect(findRemovedBindings(live, added)).toEqual([])
})

it('an overlay adds to tables and to entries with the same name, and replaces everything else', () => {
  const base = {
    name: 'a',
    vars: { A: '1' },
    routes: ['old'],
    ratelimits: [
      { name: 'X', namespace_id: '1', simple: { limit: 1, period: 60 } },
      { name: 'Y', namespace_id: '2' },
    ],
  }
  const overlay = {
    name: 'b',
    vars: { HOSTS: 'h' },
    routes: [],
    ratelimits: [{ name: 'X', namespace_id: '9' }],
    r2_buckets: [{ binding: 'ASSET_BUCKET', bucket_name: 'assets' }],
  }
  expect(mergeTables(base, overlay)).toEqual({
    name: 'b',
    vars: { A: '1', HOSTS: 'h' },
    routes: [],
    ratelimits: [
      { name: 'X', namespace_id: '9', simple: { limit: 1, period: 60 } },
      { name: 'Y', namespace_id: '2' },
    ],
    r2_buckets: overlay.r2_buckets,
  })
})

/** The response of a libSQL server on which every statement succeeds and returns no rows. */
function libsqlResponse(body: string) {
  const result = { cols: [], rows: [], affected_row_count: 0, last_insert_rowid: null }
  const { requests }: { requests: { type: string; batch?: { steps: object[] } }[] } = JSON.parse(body)
  const results = requests.map(({ type, batch }) => ({
    type: 'ok',
    response: {
      type,
      result: batch
        ? { step_results: batch.steps.map(() => result), step_errors: batch.steps.map(() => null) }
        : result,
    },
  }))
  return { baton: 'stub', base_url: null, results }
}

type Account = {
  /** The names of the D1 databases. Wrangler creates the one in wrangler.toml even for a deployment with libSQL. */
  databases: string[]
  /** True if the deployment uses a libSQL server instead of D1. */
  libsql?: true
  migrations: 'work' | 'fail'
  /** A wrangler.toml that replaces the one of the small Worker. */
  toml?: string
  /** The content of wrangler.local.toml. */
  overlay?: string
  /** The bindings of the live version. Without them, there is no Worker yet. */
  live?: Binding[] | 'unreadable'
  /** The management client's secret in the environment of the command. */
  secret?: string
  /** True if the Worker already has a management client secret. */
  hasSecret?: boolean
}

type Run = (args: string[]) => Promise<{ code: number; stdout: string }>

/** Runs `npm run deploy` in a separate process, without npm. */
const inSeparateProcess: Run = (args) =>
  runProgram('node', ['scripts/run.mjs', 'deploy', ...args], {
    cwd: root,
    show: 'onFailure',
    timeLimit: 3 * MINUTE,
  })

/** Runs `npm run deploy` in this process, but starts wrangler in a separate process. */
async function inThisProcess(args: string[]) {
  const [logged, failed] = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockReturnValue(),
  )
  try {
    return { code: await deployCommand(args), stdout: logged?.mock.calls.join('\n') ?? '' }
  } finally {
    logged?.mockRestore()
    failed?.mockRestore()
  }
}

/**
 * Deploys a small Worker to a stub of Cloudflare's API. Returns the relevant calls in order, without consecutive
 * repetitions.
 */
async function deployTo(
  account: Account,
  { args = [], run = inThisProcess }: { args?: string[]; run?: Run } = {},
) {
  // The deployment writes files, so it runs in a copy of the Worker's folder.
  const folder = mkdtempSync(path.join(root, 'build', 'deploy-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(path.join(root, 'tests/scripts/small-worker'), folder, { recursive: true })
  const file = path.join(folder, 'wrangler.toml')
  const overlayFile = path.join(folder, 'wrangler.local.toml')
  if (account.toml) writeFileSync(file, account.toml)
  if (account.overlay) writeFileSync(overlayFile, account.overlay)
  const { calls, stubApi } = await cloudflare(account)
  stubApi()
  const { code, stdout } = await run(['--config', file, ...args])
  const overlay = existsSync(overlayFile) ? readFileSync(overlayFile, 'utf8') : ''
  return { calls, code, toml: readFileSync(file, 'utf8'), overlay, stdout }
}

/** Stubs Cloudflare's API and the deployed Worker. `stubApi` makes wrangler use the stub until the test ends. */
async function cloudflare(account: Account) {
  const calls: string[] = []
  const databases = new Set(account.databases)
  const database = (name: string) => ({
    uuid: name === 'vestibule' ? DATABASE : '22222222-2222-4222-8222-222222222222',
    name,
    version: 'production',
  })
  /** The responses of the deployed Worker. */
  const workerResponses: Record<string, unknown> = {
    '/api/roles/admin-role/users': [],
    '/api/administrator-invitations': {
      url: 'https://id.example.com/account/invitation?token=stub',
      roleId: 'admin-role',
      email: null,
      expiresAt: Date.now() + 10 * MINUTE,
    },
  }
  let uploadedSecret: string | undefined
  const record = (call: string) => calls.at(-1) !== call && calls.push(call)

  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { pathname } = new URL(request.url ?? '/', 'http://api')
    if (pathname === '/oidc/token') {
      const [, secret] = atob(request.headers.authorization?.split(' ')[1] ?? '').split(':')
      const isCorrect = secret === (uploadedSecret ?? account.secret)
      response.statusCode = isCorrect ? 200 : 401
      return response.end(JSON.stringify(isCorrect ? { access_token: 'stub' } : { error: 'invalid_client' }))
    }
    if (pathname.endsWith('/pipeline')) {
      record(body.includes('alterationState') ? 'record the alteration' : 'migrate libSQL')
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(libsqlResponse(body)))
    }
    const workerResponse = workerResponses[pathname]
    if (workerResponse)
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(workerResponse))
    const [status, result] = responseTo(`${request.method} ${pathname.replace('/accounts/stub', '')}`, body)
    response.writeHead(status, { 'content-type': 'application/json' })
    const errors = status === 200 ? [] : [{ code: result, message: 'refused' }]
    response.end(JSON.stringify({ success: status === 200, errors, messages: [], result }))
  }).listen(0, '127.0.0.1')

  function responseTo(call: string, body: string): [status: number, result: unknown] {
    switch (true) {
      case call === 'GET /d1/database':
        return [200, [...databases].map(database)]
      case call === 'POST /d1/database': {
        const { name } = JSON.parse(body)
        databases.add(name)
        record(`create database ${name}`)
        return [200, database(name)]
      }
      case call === 'GET /d1/database/vestibule' || call === `GET /d1/database/${DATABASE}`:
        return databases.has('vestibule') ? [200, database('vestibule')] : [404, 7404]
      case call === `POST /d1/database/${DATABASE}/query`:
        record(body.includes('alterationState') ? 'record the alteration' : 'migrate')
        return account.migrations === 'work' ? [200, [{ results: [], success: true, meta: {} }]] : [400, 7500]
      case call === 'GET /storage/kv/namespaces':
        return [200, []]
      case call === 'PUT /workers/scripts/vestibule':
        if (!account.libsql && !body.includes(`"id":"${DATABASE}"`)) record('upload without the database')
        record(
          `upload ${/"name":"HOSTS"[^}]*"text":"([^"]*)"/.exec(body)?.[1] ?? /"text":"([^"]*)"[^}]*"name":"HOSTS"/.exec(body)?.[1] ?? 'without HOSTS'}`,
        )
        uploadedSecret ??= /"name":"MANAGEMENT_CLIENT_SECRET"[^}]*"text":"([^"]*)"/.exec(body)?.[1]
        return [200, { id: 'vestibule', startup_time_ms: 1, deployment_id: 'first' }]
      case call === 'POST /workers/scripts/vestibule/subdomain':
        if (!JSON.parse(body).enabled) record('workers.dev off')
        return [200, { enabled: JSON.parse(body).enabled, previews_enabled: false }]
      case call.startsWith('GET /zones'):
        return [200, [{ id: 'zone', name: 'example.com' }]]
      case call.includes('/domains/'):
        return [
          200,
          call.includes('changeset') ? { added: [], removed: [], updated: [], conflicting: [] } : [],
        ]
      case call === 'GET /workers/scripts/vestibule/secrets':
        return [200, account.hasSecret ? [{ name: 'MANAGEMENT_CLIENT_SECRET', type: 'secret_text' }] : []]
      case call.startsWith('GET /workers/services/'):
        return [404, 10090]
      case account.live === 'unreadable' && call.startsWith('GET /workers/scripts/vestibule/'):
        return [500, 10013]
      case account.live !== undefined && call === 'GET /workers/scripts/vestibule/deployments':
        return [200, { deployments: [{ versions: [{ version_id: 'live', percentage: 100 }] }] }]
      case call === 'GET /workers/scripts/vestibule/versions/live':
        return [200, { id: 'live', resources: { bindings: account.live, script: {}, script_runtime: {} } }]
      case call.startsWith('GET /workers/scripts/vestibule/'):
        return [404, 10007]
      case call.endsWith('/assets-upload-session'):
        return [200, { jwt: 'token', buckets: [] }]
      default:
        return [200, { id: 'anything', subdomain: 'stub' }]
    }
  }

  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = {
    CLOUDFLARE_API_BASE_URL: origin,
    CLOUDFLARE_API_TOKEN: 'stub',
    CLOUDFLARE_ACCOUNT_ID: 'stub',
    VESTIBULE_ORIGIN: origin,
    VESTIBULE_CLIENT_SECRET: account.secret ?? '',
    LIBSQL_URL: account.libsql ? origin : '',
    // Without its banner, wrangler does not look for a newer version of itself.
    WRANGLER_HIDE_BANNER: 'true',
  }
  return {
    calls,
    stubApi() {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
      onTestFinished(() => void vi.unstubAllEnvs())
    },
  }
}
