import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_ROLE, MANAGEMENT_RESOURCE } from '../../../src/contract/product.ts'
import type { CookieClient } from '../../kit/clients/cookie-client.ts'
import { asOperator, machineToken, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import {
  type Application,
  askForToken,
  authorize,
  giveRoles,
  newApi,
  newApplication,
} from '../../kit/clients/token-client.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests the ways in which clients can name a resource (spec/provider#resource-names, RFC 8707, Model Context Protocol).
 */

const TOOLS = 'https://mcp.example/tools'
const ROOT = 'https://files.example'
const PORT = 'https://mcp.example:8443/tools/'

let app: TestApp
let operator: Operator
let shop: Application
let client: CookieClient

beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  shop = await newApplication(operator)
  const visitor = await storeVisitor(app)
  client = visitor.client
  const apis = [TOOLS, ROOT, PORT].map((indicator) => newApi(operator, indicator, ['read']))
  const roles = (await Promise.all(apis)).map(({ roleId }) => roleId)
  await giveRoles(operator, visitor.username, roles)
})

const offline = { scope: 'openid offline_access read', prompt: 'consent' }
const audienceOf = ({ access_token: token }: { access_token: string }) => {
  const { aud, scope } = decodeJwt(token)
  return [aud, scope]
}

/** Requests a resource in the authorization, code exchange and token refresh, with a different spelling each time. */
async function audiences(spellings: readonly [string, string, string]) {
  const { error, redemption } = await authorize(client, shop, { ...offline, resource: spellings[0] })
  if (error) return [error]
  const first = await askForToken(app, shop, { ...redemption, resource: spellings[1] })
  if (first.error) return [first.error]
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' }
  const second = await askForToken(app, shop, { ...refresh, resource: spellings[2] })
  return second.error ? [second.error] : [audienceOf(first), audienceOf(second)]
}

describe('a resource name', () => {
  it.each([
    { aud: TOOLS, spellings: [TOOLS, TOOLS, TOOLS] },
    { aud: TOOLS, spellings: [`${TOOLS}/`, TOOLS, `${TOOLS}/`] },
    { aud: TOOLS, spellings: ['HTTPS://MCP.example/tools', `${TOOLS}/`, 'https://mcp.Example:443/tools'] },
    { aud: ROOT, spellings: [`${ROOT}/`, ROOT, `${ROOT}:443/`] },
    { aud: PORT, spellings: ['https://mcp.example:8443/tools', PORT, 'https://MCP.example:8443/tools'] },
  ] as const)('is normalised to $aud from $spellings', async ({ aud, spellings }) => {
    const token = [aud, 'read']
    expect(await audiences(spellings)).toEqual([token, token])
  })

  it.each([
    'https://mcp.example/Tools',
    'https://mcp.example/tools//',
    'https://mcp.example/tools?',
    'https://mcp.example/tools/list',
    'https://mcp.example/other/../tools',
    'https://mcp.example:444/tools',
    'https://mcp.example:8443/',
    'http://mcp.example/tools',
    'https://user@mcp.example/tools',
    'https://mcp.example/tools#part',
    'https://mcp.example.evil.example/tools',
    'mcp.example/tools',
    'URN:vestibule:management-api',
  ])('is rejected if it is not registered: %s', async (resource) => {
    expect(await audiences([resource, resource, resource])).toEqual(['invalid_target'])
    const { redemption } = await authorize(client, shop, { ...offline, resource: TOOLS })
    expect(await askForToken(app, shop, { ...redemption, resource })).toMatchObject({
      status: 400,
      error: 'invalid_target',
    })
  })

  it('can be one of several in an authorization request but must be the only one in a token request', async () => {
    const request = { ...offline, resource: [`${TOOLS}/`, ROOT, TOOLS] }
    const { redemption } = await authorize(client, shop, request)
    const first = await askForToken(app, shop, { ...redemption, resource: `${ROOT}/` })
    expect(audienceOf(first)).toEqual([ROOT, 'read'])
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' }
    const answers = [
      await askForToken(app, shop, { ...refresh, resource: [TOOLS, ROOT] }),
      await askForToken(app, shop, { ...refresh, resource: PORT }),
    ]
    expect(answers.map(({ error }) => error)).toEqual(['invalid_target', 'invalid_target'])
    expect(audienceOf(await askForToken(app, shop, { ...refresh, resource: TOOLS }))).toEqual([TOOLS, 'read'])
    expect(await audiences([TOOLS, ROOT, ROOT])).toEqual(['invalid_target'])
    expect((await authorize(client, shop, { resource: [TOOLS, 'https://no.example'] })).error).toBe(
      'invalid_target',
    )
  })

  it('is normalised in pushed requests, client credentials requests and the application’s allowed resources', async () => {
    const narrow = await newApplication(operator, {
      customClientMetadata: { allowedResources: [`${ROOT}/`] },
    })
    const allowed = await authorize(client, narrow, { scope: 'openid read', resource: `${ROOT}:443` })
    const token = await askForToken(app, narrow, { ...allowed.redemption, resource: ROOT })
    expect(audienceOf(token)).toEqual([ROOT, 'read'])
    expect((await authorize(client, narrow, { resource: TOOLS })).error).toBe('invalid_target')

    const authorization = `Basic ${btoa(`${shop.id}:${shop.secret}`)}`
    const pushed = await app.fetch('/oidc/request', {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({
        client_id: shop.id,
        response_type: 'code',
        redirect_uri: 'https://app.example/back',
        scope: 'openid read',
        resource: `${TOOLS}/`,
      }),
    })
    const { request_uri: uri } = (await pushed.json()) as { request_uri: string }
    const { redemption } = await authorize(client, shop, { request_uri: uri })
    const { code_verifier: _verifier, ...code } = redemption
    expect(audienceOf(await askForToken(app, shop, { ...code, resource: TOOLS }))).toEqual([TOOLS, 'read'])

    const machine = await newApplication(operator, { type: 'MachineToMachine', oidcClientMetadata: {} })
    const machineTokens = await askForToken(app, machine, {
      grant_type: 'client_credentials',
      resource: 'https://MCP.example/tools/',
    })
    expect(audienceOf(machineTokens)).toEqual([TOOLS, undefined])
  })

  it('is registered only once, in its normalised spelling', async () => {
    const duplicates = [`${TOOLS}/`, 'HTTPS://mcp.example:443/tools'].map((indicator) => ({
      name: 'Duplicate',
      indicator,
    }))
    for (const duplicate of duplicates)
      expect((await operator.send('POST', '/resources', duplicate)).status).toBe(400)
    const other = { name: 'Other', indicator: 'https://Other.example:443/a/' }
    const answer = await (await operator.send('POST', '/resources', other)).json()
    expect(answer).toMatchObject({ indicator: 'https://other.example/a/' })
    const { id } = answer as { id: string }
    const rename = (indicator: string) => operator.send('PATCH', `/resources/${id}`, { indicator })
    expect((await rename(`${TOOLS}/`)).status).toBe(400)
    expect((await rename('https://other.example/a')).status).toBe(200)
  })
})

describe('built-in APIs requested by the resource name in their metadata (RFC 9728)', () => {
  /** Discovers the resource like a client that knows only the URL of a call, and returns the authorization request. */
  async function discover(call: string) {
    const challenge = (await app.fetch(call)).headers.get('www-authenticate') ?? ''
    const metadata = await app.fetch(
      new URL(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '').pathname,
    )
    const { resource, scopes_supported: scopes }: { resource: string; scopes_supported: string[] } =
      await metadata.json()
    return {
      resource,
      scope: [...new Set(['openid', 'offline_access', ...scopes])].join(' '),
      prompt: 'consent',
    }
  }

  const management = { customClientMetadata: { allowedBuiltInResources: [MANAGEMENT_RESOURCE.indicator] } }

  it('accept tokens obtained with a code or a refresh token', async () => {
    const administrator = await storeVisitor(app)
    await giveRoles(operator, administrator.username, [ADMIN_ROLE.id])
    const console = await newApplication(operator, management)
    for (const call of ['/api/users', '/api/me']) {
      const request = await discover(call)
      const { error, redemption } = await authorize(administrator.client, console, request)
      expect([call, error]).toEqual([call, null])
      const first = await askForToken(app, console, { ...redemption, resource: request.resource })
      const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' }
      const second = await askForToken(app, console, { ...refresh, resource: `${request.resource}/` })
      for (const { access_token: token } of [first, second]) {
        expect([call, (await asOperator(app, token).get(call.slice('/api'.length))).status]).toEqual([
          call,
          200,
        ])
      }
    }
  })

  it('can both be in an authorization request, but only one of them in a token request', async () => {
    const administrator = await storeVisitor(app)
    await giveRoles(operator, administrator.username, [ADMIN_ROLE.id])
    const console = await newApplication(operator, management)
    const [accountApi, managementApi] = [await discover('/api/me'), await discover('/api/users')]
    const both = {
      ...accountApi,
      scope: `${accountApi.scope} all`,
      resource: [accountApi.resource, managementApi.resource],
    }
    const { redemption } = await authorize(administrator.client, console, both)
    const first = await askForToken(app, console, { ...redemption, resource: accountApi.resource })
    expect((await asOperator(app, first.access_token).get('/me')).status).toBe(200)
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' }
    const second = await askForToken(app, console, { ...refresh, resource: managementApi.resource })
    expect(audienceOf(second)).toEqual([MANAGEMENT_RESOURCE.indicator, 'all'])
    // The account API does not accept scopes of another resource.
    const narrow = { ...refresh, resource: accountApi.resource, scope: 'all' }
    expect((await askForToken(app, console, narrow)).error).toBe('invalid_target')
  })

  it('are subject to the same rules as under their URNs', async () => {
    const api = await discover('/api/users')
    expect((await authorize(client, shop, api)).error).toBe('invalid_target')
    expect((await authorize(client, shop, { resource: 'https://other.example/api' })).error).toBe(
      'invalid_target',
    )
    const token = await machineToken(app, undefined, 'all', api.resource)
    expect(decodeJwt(token)).toMatchObject({ aud: MANAGEMENT_RESOURCE.indicator, scope: 'all' })
    expect((await asOperator(app, token).get('/users')).status).toBe(200)
    await expect(machineToken(app, undefined, 'all', (await discover('/api/me')).resource)).rejects.toThrow(
      'invalid_target',
    )
  })
})
