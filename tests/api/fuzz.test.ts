import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { newMember } from '../kit/account-client.ts'
import { freshName, ORIGIN } from '../kit/cookie-client.ts'
import { beginInteraction } from '../kit/interaction-client.ts'
import { machineToken, newOperator, type Operator } from '../kit/management-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { createJudge, judgeRefusal, type OpenApi, type Operation } from './declared-answers.ts'
import { type Body, bodyOf, formOf, type Pair, queryOf, segmentOf } from './requests-from-schemas.ts'

/**
 * Every call of the served document, asked what fits its declaration, what nearly does and what does not. A failure says
 * with which seed it happened; FUZZ_SEED and FUZZ_RUNS ask for others.
 */
const { seed, runs: numRuns } = env.TEST_FUZZ

let app: TestApp
let operator: Operator
let managerToken: string
let senderToken: string
const document: OpenApi = await (await openTestApp().fetch('/api/openapi.json')).json()
const judge = createJudge(document)

const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    call: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
    caller: callerOf(path, operation),
  })),
)

type Caller = 'nobody' | 'guest' | 'member' | 'sender' | 'manager' | 'operator'

function callerOf(path: string, { security = document.security }: Operation): Caller {
  const schemes = security.flatMap((way) => Object.keys(way))
  if (path.startsWith('/api/interaction')) return 'guest'
  if (schemes.includes('account')) return 'member'
  if (schemes.includes('services')) return path === '/api/tenants' ? 'manager' : 'sender'
  return schemes.includes('management') ? 'operator' : 'nobody'
}

/** By collection: what there is, so that calls get further than to a 404. */
const ids = new Map<string, string[]>()
const keep = (collection: string, id: string) => ids.set(collection, [...(ids.get(collection) ?? []), id])

const known = (text: string) =>
  text.replaceAll(/@([\w-]+)@/g, (_, collection: string) => ids.get(collection)?.at(-1) ?? 'x')

async function create(path: string, body: object): Promise<string> {
  const response = await operator.send('POST', path, body)
  const { id } = (await response.json()) as { id?: string }
  if (!id) throw new Error(`POST ${path} was refused with ${response.status}`)
  keep(path.split('/').at(-1) ?? '', id)
  return id
}

beforeAll(() => {
  app = openTestApp()
})

// For each call anew: one of them withdraws the keys that every token was signed with.
beforeEach(async () => {
  operator = await newOperator(app)
  const manager = { id: 'management', secret: app.env.MANAGEMENT_CLIENT_SECRET ?? '' }
  managerToken = await machineToken(app, manager, 'manage:tenant', SERVICES)
  senderToken = await newSenderToken()
})

const SERVICES = 'urn:vestibule:services'

async function newSenderToken(): Promise<string> {
  const oidcClientMetadata = { redirectUris: [], postLogoutRedirectUris: [] }
  const given = { name: 'Sender', type: 'MachineToMachine', oidcClientMetadata }
  const sender = (await (await operator.send('POST', '/applications', given)).json()) as {
    id: string
    secret: string
  }
  await operator.send('POST', '/roles/tenant-app/applications', { applicationIds: [sender.id] })
  return machineToken(app, sender, 'send:email send:sms', SERVICES)
}

/** What a call of each collection can be about, new for every operation: the one before may have deleted it. */
async function createFixtures(): Promise<void> {
  const name = freshName()
  ids.clear()
  const oidcClientMetadata = { redirectUris: [], postLogoutRedirectUris: [] }
  const config = { url: 'https://nowhere.invalid/', retries: 0 }
  await create('/applications', { name, type: 'MachineToMachine', oidcClientMetadata })
  await create('/hooks', { event: 'PostSignIn', config })
  const resource = await create('/resources', { name, indicator: `urn:${name}` })
  const scope = await create(`/resources/${resource}/scopes`, { name, description: name })
  const role = await create('/roles', { name, description: name, scopeIds: [scope] })
  const user = await create('/users', { username: name })
  await operator.send('POST', `/users/${user}/roles`, { roleIds: [role] })
  await operator.send('POST', `/roles/${role}/applications`, { applicationIds: ids.get('applications') })
  const connectors = (await (await operator.get('/connectors')).json()) as { id: string }[]
  for (const { id } of connectors) await operator.send('DELETE', `/connectors/${id}`)
  await create('/connectors', {
    connectorId: 'http-sms',
    config: { endpoint: 'https://nowhere.invalid/', authentication: 'None' },
  })
  await operator.send('PUT', '/custom-phrases/fr', { action: { sign_in: 'Entrez' } })
  await operator.send('PATCH', '/configs/settings', {
    storageProvider: { provider: 'R2', publicUrl: 'https://files.example.com' },
  })
  const logs = (await (await operator.get('/logs?page_size=1')).json()) as { id: string }[]
  for (const { id } of logs) keep('logs', id)
  for (const factory of ['http-sms', 'simple-mail-transfer-protocol']) keep('connector-factories', factory)
  keep('custom-phrases', 'fr')
  keep('identities', 'github')
}

type Request = { segments: string[]; query: Pair[]; body: Body | null }

function requestOf(path: string, { parameters = [], requestBody }: Operation): fc.Arbitrary<Request> {
  const collections = [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, collection = '', name]) =>
    name === 'factoryId' ? 'connector-factories' : collection,
  )
  const content = requestBody?.content['application/json']
  const form = requestBody?.content['multipart/form-data']
  return fc.record({
    segments: fc.tuple(...collections.map(segmentOf)),
    query: queryOf(parameters.filter((parameter) => parameter.in === 'query')),
    body: content ? bodyOf(content.schema, content.example) : form ? formOf() : fc.constant(null),
  })
}

type Ask = (path: string, init: RequestInit) => Promise<Response>

/** In the name of somebody who may make the call. */
async function whoAsks(caller: Caller): Promise<Ask> {
  const withHeaders =
    (more: Record<string, string>): Ask =>
    (path, init) =>
      app.fetch(path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...more } })
  switch (caller) {
    case 'nobody':
      return app.fetch
    case 'operator':
      return withHeaders({ authorization: `Bearer ${operator.token}` })
    case 'manager':
      return withHeaders({ authorization: `Bearer ${managerToken}` })
    case 'sender':
      return withHeaders({ authorization: `Bearer ${senderToken}` })
    case 'member':
      return withHeaders({ authorization: `Bearer ${(await newMember(app)).token}` })
    case 'guest': {
      const guest = await beginInteraction(app)
      await guest.start('SignIn')
      const cookie = [...guest.client.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      return withHeaders({ cookie: cookie.join('; '), interaction: guest.uid, origin: ORIGIN })
    }
  }
}

// What ends things comes last, and what changes how people sign in after those who do.
const order = (method: string) => (method === 'DELETE' ? 1 : 0)
const rank = { nobody: 0, guest: 1, member: 2, sender: 3, manager: 4, operator: 5 }
calls.sort((a, b) => rank[a.caller] - rank[b.caller] || order(a.method) - order(b.method))

it.each(calls)(
  '$call answers as it says, whatever it is asked',
  async ({ method, path, operation, caller }) => {
    if (path.includes('{') || operation.requestBody) await createFixtures()
    const ask = await whoAsks(caller)
    const template = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    await fc.assert(
      fc.asyncProperty(requestOf(path, operation), async ({ segments, query, body }) => {
        const rest = [...segments]
        const address = new URL(known(path.replaceAll(/\{\w+\}/g, () => rest.shift() ?? '')), ORIGIN)
        for (const [name, value] of query) address.searchParams.append(name, value)
        const response = await ask(address.href, {
          method,
          headers: body?.contentType === undefined ? {} : { 'content-type': body.contentType },
          // Bytes: with a string of its own a request would get a content type of its own.
          ...(body ? { body: new TextEncoder().encode(known(body.text)) } : {}),
        })
        // `..` and nothing at all make another path of it.
        if (template.test(address.pathname)) return judge(operation, response)
        expect(response.status).toBeLessThan(500)
        if (!response.ok) judgeRefusal(await response.json())
      }),
      { seed, numRuns },
    )
  },
  120_000,
)
