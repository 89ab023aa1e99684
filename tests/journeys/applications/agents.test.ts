import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderSample, samples } from '../../../console/areas/applications/guides/index.ts'
import { PUBLISHED_CLIENT, publishedDocument } from '../../faults/published-client.ts'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freePort } from '../../kit/free-port.ts'
import { someOf } from '../browser.ts'
import { type FormUser, newFormUser } from '../form-user.ts'
import type { NewApplication } from '../management.ts'
import { noValues } from '../samples/guide-values.ts'
import { copySample } from '../samples/run-sample.ts'
import { openTenant } from '../tenant.ts'

/**
 * Tests the MCP SDK's client with the sample server and a running provider, from the first 401 to a tool call
 * (docs/guides/agents.md).
 */

const tenant = await openTenant()
const { origin, call } = tenant
/**
 * Programs on the user's computer listen on a random port, which the redirect URI does not contain (RFC 8252
 * §7.3).
 */
const CALLBACK = 'http://127.0.0.1:9/callback'

const port = await freePort()
const resource = `http://localhost:${port}/mcp`
const issuer = `${origin}/oidc`
const api = { indicator: resource, scope: 'orders:read' }
const { folder } = await copySample('mcp-server', { ...noValues, issuer, api }, 'mcp-server-of-agents')
const server = spawn(
  process.execPath,
  ['--import', path.resolve('tests/journeys/test-hosts.ts'), 'server.mjs'],
  {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
await once(server.stdout, 'data')
afterAll(async () => {
  server.kill()
  await once(server, 'exit')
})

/** The JSON examples of docs/guides/agents.md in order, with the URL of the running sample. */
const [asResource, asScopes, asApplication, asSettings, asDocument] = [
  ...readFileSync('docs/guides/agents.md', 'utf8').matchAll(/```json\n(.*?)```/gs),
].map(([, json = '']) => JSON.parse(json.replaceAll('https://api.example.com', resource)))

type Row = { id: string }
let editor: Row
beforeAll(async () => {
  // Register another resource, so that the provider has more than one.
  await call('POST', '/resources', { name: 'Calendar', indicator: 'https://calendar.example.com/mcp' })
  const { id } = await call<Row>('POST', '/resources', asResource)
  const scopes: Row[] = []
  for (const scope of asScopes) scopes.push(await call<Row>('POST', `/resources/${id}/scopes`, scope))
  await call('PATCH', '/configs/settings', asSettings)
  editor = await call('POST', '/roles', {
    name: 'Editor',
    description: '',
    scopeIds: scopes.map((scope) => scope.id),
  })
})

async function newEditor(): Promise<FormUser> {
  const username = freshName()
  const { id } = await tenant.createUser({ username, password: PASSWORD })
  await call('POST', `/users/${id}/roles`, { roleIds: [editor.id] })
  return newFormUser(origin, username)
}

/** Stores in memory what an MCP host stores for a server. */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadataUrl = PUBLISHED_CLIENT
  readonly clientMetadata = {
    client_name: 'Desk',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  authorization: URL | undefined
  stored: StoredOAuthTokens | undefined
  verifier = ''
  discovered: OAuthDiscoveryState | undefined
  client: { client_id: string; client_secret?: string } | undefined

  constructor(client: Memory['client']) {
    this.client = client
  }

  clientInformation() {
    return this.client
  }
  saveClientInformation(client: Memory['client']) {
    this.client = client
  }
  tokens() {
    return this.stored
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.stored = tokens
  }
  forgetAccess() {
    if (this.stored) this.stored = { ...this.stored, access_token: 'over' }
  }
  redirectToAuthorization(url: URL) {
    this.authorization = url
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier
  }
  codeVerifier() {
    return this.verifier
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.discovered = state
  }
  discoveryState() {
    return this.discovered
  }
}

async function registered(type: 'Native' | 'Traditional') {
  const isServer = type === 'Traditional'
  const oidcClientMetadata = { redirectUris: [CALLBACK], postLogoutRedirectUris: [] }
  const { id, secret } = await call<NewApplication>('POST', '/applications', {
    ...asApplication,
    type,
    ...(isServer && { oidcClientMetadata }),
  })
  if (isServer) return { issuer, client_id: id, client_secret: secret }
  return readSettings(id)
}

/** Returns what a user enters in an agent, from the settings that the console shows. */
function readSettings(clientId: string) {
  const sample = samples.get('mcp-client')
  if (!sample) throw new Error('samples/mcp-client is missing')
  const { redirectUris } = asApplication.oidcClientMetadata
  const guide = renderSample('mcp-client', sample, { ...noValues, issuer, clientId, redirectUris, api })
  const text = guide.files['settings.txt'] ?? ''
  const read = (name: string) => new RegExp(`^${name} +(.+)$`, 'm').exec(text)?.[1] ?? ''
  expect([read('Redirect URI'), read('Resource')]).toEqual([redirectUris[0], resource])
  return { issuer: read('Authorization server'), client_id: read('Client ID') }
}

const NEWEST = { pin: '2026-07-28' } as const
type Mode = typeof NEWEST | 'legacy'

/**
 * Performs a task. If the task requires an authorization, the user grants it, and the task is performed
 * again.
 */
async function withUser<T>(
  { memory, user, mode }: { memory: Memory; user: FormUser; mode: Mode },
  task: (client: Client) => Promise<T>,
): Promise<T> {
  for (;;) {
    const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider: memory })
    const client = new Client({ name: 'desk', version: '1.0.0' }, { versionNegotiation: { mode } })
    try {
      await client.connect(transport)
      return await task(client)
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || !memory.authorization) throw error
      const back = await user.follow(memory.authorization)
      memory.authorization = undefined
      await transport.finishAuth(back.searchParams)
    } finally {
      await client.close()
    }
  }
}

it('docs/guides/agents.md quotes the client document that these tests publish', () => {
  expect(asDocument).toEqual(publishedDocument)
})

describe('an agent', () => {
  type Agent = { what: string; mode: Mode; client: () => Memory['client'] | Promise<Memory['client']> }
  // tests/oidc/applications covers how each kind of application proves its identity.
  const agents: readonly Agent[] = [
    {
      what: 'a public application, in revision 2025-11-25',
      mode: 'legacy',
      client: () => registered('Native'),
    },
    { what: 'a public application', mode: NEWEST, client: () => registered('Native') },
    { what: 'a confidential application', mode: NEWEST, client: () => registered('Traditional') },
    { what: 'its metadata document', mode: NEWEST, client: () => undefined },
  ]
  it.each(someOf(agents, 2))(
    'calls a tool after sign-in and consent using $what, and asks for consent again for another scope',
    async ({ mode, client }) => {
      const user = await newEditor()
      const memory = new Memory(await client())
      const ask = <T>(task: (client: Client) => Promise<T>) => withUser({ memory, user, mode }, task)
      const list = () => ask((client) => client.callTool({ name: 'list_orders', arguments: {} }))
      expect((await list()).content).toEqual([])
      expect(user.pages).toEqual(['/sign-in', '/sign-in/consent'])
      expect(memory.stored).toMatchObject({
        scope: expect.stringContaining('orders:read'),
        token_type: 'Bearer',
      })

      const text = 'A chair'
      await ask((client) => client.callTool({ name: 'add_order', arguments: { item: text } }))
      expect(user.pages).toEqual(['/sign-in', '/sign-in/consent', '/sign-in/consent'])
      // Without its access token, the client has to use the refresh token.
      memory.forgetAccess()
      expect((await list()).content).toEqual([{ type: 'text', text }])
      expect(user.pages).toHaveLength(3)
    },
  )

  it('gets neither access nor a refresh token if the user lacks the role', async () => {
    const memory = new Memory(await registered('Native'))
    memory.clientMetadata.grant_types.pop()
    const user = newFormUser(origin, await tenant.registeredName())
    const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider: memory })
    const client = new Client({ name: 'desk', version: '1.0.0' })
    await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
    const back = await user.follow(memory.authorization ?? '')
    expect(back.searchParams.get('error')).toBe('access_denied')
  })
})
