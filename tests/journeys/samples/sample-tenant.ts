import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { inject } from 'vitest'
import { certificate } from '../../kit/certificate.ts'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { SAMPLES_TENANT } from '../hostile-server.ts'
import { bearerToken, callsOf, type ManagementCall } from '../management.ts'

/** An API with the scope `orders:read`, and a user whose role has this scope. */
export type SampleApi = {
  indicator: string
  roleId: string
  username: string
  /** The access tokens with which `/orders` was called, in the order of the calls. */
  tokens: { text: string; claims: JWTPayload }[]
}

/**
 * The tenant of the samples. Its host is `localhost`, because programs in other languages resolve only real names. All
 * test files of samples share it.
 */
export type SampleTenant = { origin: string; issuer: string; call: ManagementCall }

export async function openSampleTenant(): Promise<SampleTenant> {
  const { port } = new URL(inject('origin'))
  const services = callsOf(
    inject('origin'),
    await bearerToken(inject('origin'), { resource: 'urn:vestibule:services', scope: 'manage:tenant' }),
  )
  const tenants = await services<{ id: string }[]>('GET', '/tenants')
  if (!tenants.some(({ id }) => id === SAMPLES_TENANT))
    // Another file may have created it in the meantime.
    await services('POST', '/tenants', { id: SAMPLES_TENANT }).catch(() => {})
  const origin = `https://localhost:${port}`
  return { origin, issuer: `${origin}/oidc`, call: callsOf(origin, await bearerToken(origin)) }
}

/** Creates an API and a user who may read orders. The API accepts only tokens with the right audience and scope. */
export async function openSampleApi(
  { issuer, call }: SampleTenant,
  accessTokenTtl: number,
): Promise<SampleApi> {
  const path = `/${crypto.randomUUID()}`
  const indicator = (await apiOrigin()) + path
  const { id } = await call<{ id: string }>('POST', '/resources', {
    name: 'Orders',
    indicator,
    accessTokenTtl,
  })
  const scope = await call<{ id: string }>('POST', `/resources/${id}/scopes`, {
    name: 'orders:read',
    description: 'Read orders',
  })
  const role = await call<{ id: string }>('POST', '/roles', {
    name: `Customer ${path}`,
    description: '',
    scopeIds: [scope.id],
  })
  const username = freshName()
  const user = await call<{ id: string }>('POST', '/users', { username, password: PASSWORD })
  await call('POST', `/roles/${role.id}/users`, { userIds: [user.id] })
  const tokens: SampleApi['tokens'] = []
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))
  apis.set(path, async (token) => {
    const { payload } = await jwtVerify(token, keys, { issuer, audience: indicator, typ: 'at+jwt' })
    if (payload.scope !== 'orders:read') throw new Error(`the scope is ${String(payload.scope)}`)
    tokens.push({ text: token, claims: payload })
    return { userId: payload.sub, orders: ['A chair'] }
  })
  return { indicator, roleId: role.id, username, tokens }
}

const apis = new Map<string, (token: string) => Promise<unknown>>()

let listening: Promise<string> | undefined

/** Returns the origin of the server for all APIs. Each worker process has one, which ends with the process. */
function apiOrigin(): Promise<string> {
  listening ??= new Promise((resolve) => {
    const server = createServer(certificate, async (request, response) => {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', 'authorization')
      if (request.method === 'OPTIONS') return response.writeHead(204).end()
      const api = apis.get((request.url ?? '').replace(/\/orders$/, ''))
      const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
      response.setHeader('content-type', 'application/json')
      const orders = await api?.(token).catch((error: Error) => error)
      if (orders instanceof Error) response.statusCode = 401
      response.end(JSON.stringify(orders instanceof Error ? { error: orders.message } : orders))
    })
    server.listen(0, '127.0.0.1', () => {
      server.unref()
      resolve(`https://localhost:${(server.address() as AddressInfo).port}`)
    })
  })
  return listening
}
