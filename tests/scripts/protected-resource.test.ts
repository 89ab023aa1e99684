import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { protectedResource } from '../../samples/mcp-server/protected-resource.mjs'
import { freePort } from '../kit/free-port.ts'

/** Tests the sample that customers copy to protect their own API (docs/guides/agents.md#protecting-a-server). */

const resource = 'https://notes.example.com/mcp'
const METADATA = 'https://notes.example.com/.well-known/oauth-protected-resource/mcp'
const issuer = `http://127.0.0.1:${await freePort()}/oidc`
const { privateKey, publicKey } = await generateKeyPair('RS256')
const stranger = await generateKeyPair('RS256')

const provider = createServer(async (request, response) => {
  expect(request.url).toBe('/oidc/jwks')
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'RS256' }] }))
})
beforeAll(
  () => new Promise<void>((resolve) => provider.listen(Number(new URL(issuer).port), '127.0.0.1', resolve)),
)
afterAll(() => provider.close())

const api = protectedResource({ issuer, resource, name: 'Notes', scopes: ['notes:read', 'notes:write'] })

type Token = { claims?: JWTPayload; typ?: string; key?: CryptoKey; lifetime?: string }

const signed = ({ claims = {}, typ = 'at+jwt', key = privateKey, lifetime = '1h' }: Token) =>
  new SignJWT({ sub: 'ann', client_id: 'desk', scope: 'notes:read', iss: issuer, aud: resource, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'a', typ })
    .setExpirationTime(lifetime)
    .sign(key)

async function check(token: string | undefined, needed = ['notes:read'], protectedBy = api) {
  const request = new Request(resource, token ? { headers: { authorization: `Bearer ${token}` } } : {})
  const answer = await protectedBy.check(request, needed)
  return answer instanceof Response
    ? { status: answer.status, challenge: answer.headers.get('www-authenticate') }
    : answer
}

describe("a customer's API", () => {
  it('accepts an access token that was issued for it', async () => {
    const token = await signed({})
    expect(await check(token)).toEqual({
      token,
      userId: 'ann',
      clientId: 'desk',
      scopes: ['notes:read'],
      expiresAt: expect.any(Number),
    })
  })

  it('returns the metadata URL and the required scopes to a client without a token', async () => {
    expect(await check(undefined)).toEqual({
      status: 401,
      challenge: `Bearer scope="notes:read", resource_metadata="${METADATA}"`,
    })
  })

  it.each<{ what: string; token: Token }>([
    { what: 'for another API', token: { claims: { aud: 'https://calendar.example.com/mcp' } } },
    { what: 'from another issuer', token: { claims: { iss: 'https://id.example.net/oidc' } } },
    { what: 'that is an ID token', token: { typ: 'JWT' } },
    { what: 'that has expired', token: { lifetime: '-1s' } },
    { what: "signed with someone else's key", token: { key: stranger.privateKey } },
    { what: 'that is bound to a key', token: { claims: { cnf: { jkt: 'a' } } } },
    { what: 'without a client', token: { claims: { client_id: undefined } } },
  ])('rejects a token $what', async ({ token }) => {
    expect(await check(await signed(token))).toEqual({
      status: 401,
      challenge: `Bearer error="invalid_token", scope="notes:read", resource_metadata="${METADATA}"`,
    })
  })

  it('rejects a malformed token', async () => {
    expect(await check('a.b.c')).toMatchObject({ status: 401 })
  })

  it('returns the missing scope for a token with insufficient scopes', async () => {
    expect(await check(await signed({}), ['notes:write'])).toEqual({
      status: 403,
      challenge: `Bearer error="insufficient_scope", scope="notes:write", resource_metadata="${METADATA}"`,
    })
  })

  it('responds with 503 rather than 401 if the keys cannot be fetched', async () => {
    const unreachable = protectedResource({
      issuer: 'http://127.0.0.1:1/oidc',
      resource,
      name: 'Notes',
      scopes: [],
    })
    expect(await check(await signed({}), [], unreachable)).toEqual({ status: 503, challenge: null })
  })

  it('publishes metadata that refers to the provider (RFC 9728)', async () => {
    const answer = api.metadata(new Request(METADATA))
    expect(answer?.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer?.json()).toEqual({
      resource,
      authorization_servers: [issuer],
      scopes_supported: ['notes:read', 'notes:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Notes',
    })
    expect(api.metadata(new Request(resource))).toBe(undefined)
  })
})

it('the sample server starts as docs/guides/agents.md describes, and rejects clients without a token', async () => {
  const [, file = ''] =
    /^npx node (\S+) http:\S+ http:\S+$/m.exec(readFileSync('docs/guides/agents.md', 'utf8')) ?? []
  const address = `http://localhost:${await freePort()}/mcp`
  const sample = spawn(process.execPath, [file, issuer, address], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(sample.stdout, 'data')
    expect(String(line)).toBe(`Tools at ${address}\n`)
    const refused = await fetch(address, { method: 'POST', body: '{}' })
    const metadata = address.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer scope="notes:read", resource_metadata="${metadata}"`,
    ])
    expect(await (await fetch(metadata)).json()).toMatchObject({ resource: address })
  } finally {
    sample.kill()
    await once(sample, 'exit')
  }
})
