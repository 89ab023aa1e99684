import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { freshName, ORIGIN } from '../kit/clients/cookie-client.ts'
import { beginInteraction } from '../kit/clients/interaction-client.ts'
import { machineToken, newOperator, type Operator } from '../kit/clients/management-client.ts'
import { withoutReferences } from '../kit/openapi-document.ts'
import { storeMember } from '../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { checkRefusal, createCheck, type OpenApi, type Operation } from './declared-answers.ts'
import { type Body, bodyOf, formOf, type Pair, queryOf, segmentOf } from './requests-from-schemas.ts'

/**
 * Sends requests to every operation of the OpenAPI document that match its declaration, nearly match it or do not match
 * it at all. A failure shows its seed; `SEED=<number>` repeats the run. `npm test` calls every other operation.
 */
const { seed, isExhaustive } = env.TEST_SWEEP
const numRuns = isExhaustive ? 100 : 1

let app: TestApp
const document: OpenApi = await (await openTestApp().fetch('/api/openapi.json')).json()
const check = createCheck(document)
/** Requests are generated from whole schemas. */
const { paths } = withoutReferences(document)

const calls = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    call: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
    caller: callerOf(path, operation),
  })),
)

type Caller = 'unauthenticated' | 'interaction' | 'member' | 'sender' | 'manager' | 'operator'

function callerOf(path: string, { security = document.security }: Operation): Caller {
  const schemes = security.flatMap((requirement) => Object.keys(requirement))
  if (path.startsWith('/api/interaction')) return 'interaction'
  if (schemes.includes('account')) return 'member'
  if (schemes.includes('services')) return path === '/api/tenants' ? 'manager' : 'sender'
  return schemes.includes('management') ? 'operator' : 'unauthenticated'
}

/** The ids of existing rows by collection, so that calls do not stop at a 404. */
const ids = new Map<string, string[]>()
const addId = (collection: string, id: string) => ids.set(collection, [...(ids.get(collection) ?? []), id])

/** The collections from which a DELETE may have removed the row. They get new rows before their next call. */
const depleted = new Set<string>()

/** Replaces placeholders such as `@users@` with the id of an existing row. */
const withIds = (text: string) =>
  text.replaceAll(/@([\w-]+)@/g, (_, collection: string) => ids.get(collection)?.at(-1) ?? 'x')

async function create({ operator }: Tokens, path: string, body: object): Promise<string> {
  const response = await operator.send('POST', path, body)
  const { id } = (await response.json()) as { id?: string }
  if (!id) throw new Error(`POST ${path} failed with status ${response.status}`)
  addId(path.split('/').at(-1) ?? '', id)
  return id
}

beforeAll(() => {
  app = openTestApp()
})

const SERVICES = 'urn:vestibule:services'

/** `manager` may create tenants (`manage:tenant`), and `sender` may send messages (`send:email`, `send:sms`). */
type Tokens = { operator: Operator; manager: string; sender: string }
let current: Tokens | null = null

/** Returns the tokens that calls share. A call that withdraws the signing keys invalidates them. */
async function tokens(): Promise<Tokens> {
  if (current) return current
  const operator = await newOperator(app)
  const management = { id: 'management', secret: app.env.MANAGEMENT_CLIENT_SECRET ?? '' }
  current = {
    operator,
    manager: await machineToken(app, management, 'manage:tenant', SERVICES),
    sender: await newSenderToken(operator),
  }
  return current
}

async function newSenderToken(operator: Operator): Promise<string> {
  const oidcClientMetadata = { redirectUris: [], postLogoutRedirectUris: [] }
  const application = { name: 'Sender', type: 'MachineToMachine', oidcClientMetadata }
  const sender = (await (await operator.send('POST', '/applications', application)).json()) as {
    id: string
    secret: string
  }
  await operator.send('POST', '/roles/tenant-app/applications', { applicationIds: [sender.id] })
  return machineToken(app, sender, 'send:email send:sms', SERVICES)
}

/** Creates one row in each collection. */
async function createFixtures(tokens: Tokens): Promise<void> {
  const { operator } = tokens
  const name = freshName()
  ids.clear()
  depleted.clear()
  const oidcClientMetadata = { redirectUris: [], postLogoutRedirectUris: [] }
  const config = { url: 'https://nowhere.invalid/', retries: 0 }
  await create(tokens, '/applications', { name, type: 'MachineToMachine', oidcClientMetadata })
  await create(tokens, '/hooks', { event: 'PostSignIn', config })
  const resource = await create(tokens, '/resources', { name, indicator: `urn:${name}` })
  const scope = await create(tokens, `/resources/${resource}/scopes`, { name, description: name })
  const role = await create(tokens, '/roles', { name, description: name, scopeIds: [scope] })
  const user = await create(tokens, '/users', { username: name })
  await operator.send('POST', `/users/${user}/roles`, { roleIds: [role] })
  await operator.send('POST', `/roles/${role}/applications`, { applicationIds: ids.get('applications') })
  const connectors = (await (await operator.get('/connectors')).json()) as { id: string }[]
  for (const { id } of connectors) await operator.send('DELETE', `/connectors/${id}`)
  await create(tokens, '/connectors', {
    connectorId: 'http-sms',
    config: { endpoint: 'https://nowhere.invalid/', authentication: 'None' },
  })
  await operator.send('PUT', '/custom-phrases/fr', { action: { sign_in: 'Entrez' } })
  await operator.send('PATCH', '/configs/settings', {
    storageProvider: { provider: 'R2', publicUrl: 'https://files.example.com' },
  })
  const logs = (await (await operator.get('/logs?page_size=1')).json()) as { id: string }[]
  for (const { id } of logs) addId('logs', id)
  for (const factory of ['http-sms', 'simple-mail-transfer-protocol']) addId('connector-factories', factory)
  addId('custom-phrases', 'fr')
  addId('identities', 'github')
}

const collectionsIn = (path: string) =>
  [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, collection = '', name]) =>
    name === 'factoryId' ? 'connector-factories' : collection,
  )

type Request = { segments: string[]; query: Pair[]; body: Body | null }

function requestOf(path: string, { parameters = [], requestBody }: Operation): fc.Arbitrary<Request> {
  const collections = collectionsIn(path)
  const content = requestBody?.content['application/json']
  const form = requestBody?.content['multipart/form-data']
  return fc.record({
    segments: fc.tuple(...collections.map(segmentOf)),
    query: queryOf(parameters.filter((parameter) => parameter.in === 'query')),
    body: content ? bodyOf(content.schema, content.example) : form ? formOf() : fc.constant(null),
  })
}

type Fetch = (path: string, init: RequestInit) => Promise<Response>

/** Returns a fetch function that authenticates as this kind of caller. */
async function fetchAs(caller: Caller): Promise<Fetch> {
  const withHeaders =
    (more: Record<string, string>): Fetch =>
    (path, init) =>
      app.fetch(path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...more } })
  const withToken = (token: string) => withHeaders({ authorization: `Bearer ${token}` })
  const { operator, manager, sender } = await tokens()
  switch (caller) {
    case 'unauthenticated':
      return app.fetch
    case 'operator':
      return withToken(operator.token)
    case 'manager':
      return withToken(manager)
    case 'sender':
      return withToken(sender)
    case 'member':
      return withToken((await storeMember(app)).token)
    case 'interaction': {
      const { client, uid, start } = await beginInteraction(app)
      await start('SignIn')
      return withHeaders({ cookie: client.cookieHeader(), interaction: uid, origin: ORIGIN })
    }
  }
}

// For each caller, calls that delete come last, and calls that change sign-in methods come after sign-ins.
const order = (method: string) => (method === 'DELETE' ? 1 : 0)
const rank = { unauthenticated: 0, interaction: 1, member: 2, sender: 3, manager: 4, operator: 5 }
calls.sort((a, b) => rank[a.caller] - rank[b.caller] || order(a.method) - order(b.method))

it.each(calls.filter((_, index) => isExhaustive || index % 2 === 0))(
  '[ASVS-4.1.1] $call responds to every request as the OpenAPI document declares',
  async ({ method, path, operation, caller }) => {
    const collections = collectionsIn(path)
    if (ids.size === 0 || collections.some((name) => depleted.has(name))) await createFixtures(await tokens())
    const [deleted] = collections.slice(-1)
    if (method === 'DELETE' && deleted) depleted.add(deleted)
    const fetchAsCaller = await fetchAs(caller)
    const template = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    await fc.assert(
      fc.asyncProperty(requestOf(path, operation), async ({ segments, query, body }) => {
        const rest = [...segments]
        const url = new URL(withIds(path.replaceAll(/\{\w+\}/g, () => rest.shift() ?? '')), ORIGIN)
        for (const [name, value] of query) url.searchParams.append(name, value)
        const response = await fetchAsCaller(url.href, {
          method,
          headers: body?.contentType === undefined ? {} : { 'content-type': body.contentType },
          // The body is sent as bytes, because fetch would add a content type to a string.
          ...(body ? { body: new TextEncoder().encode(withIds(body.text)) } : {}),
        })
        // An empty segment or `..` changes the path, so a different operation may handle the request.
        if (template.test(url.pathname)) return check(operation, response)
        expect(response.status).toBeLessThan(500)
        if (!response.ok) checkRefusal(await response.json())
      }),
      { seed, numRuns },
    )
    if (path.includes('/signing-keys')) current = null
  },
  120_000,
)
