import { MANAGEMENT_CLIENT_ID, MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../src/contract/product.ts'
import type { House } from './house.ts'

/** Whoever manages the tenant through the front door: a token of the token endpoint, and calls with it. */
export type Operator = {
  token: string
  get(path: string, headers?: Record<string, string>): Promise<Response>
  send(method: string, path: string, body?: unknown): Promise<Response>
}

export async function newOperator(house: House): Promise<Operator> {
  return asOperator(house, await machineToken(house))
}

/** The same for somebody who has a token already. */
export function asOperator(house: House, token: string): Operator {
  const authorization = `Bearer ${token}`
  return {
    token,
    get: (path, headers = {}) => house.fetch(`/api${path}`, { headers: { authorization, ...headers } }),
    send: (method, path, body) =>
      house.fetch(`/api${path}`, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

type Client = { id: string; secret: string }

export async function machineToken(
  house: House,
  { id, secret }: Client = {
    id: MANAGEMENT_CLIENT_ID,
    secret: house.env.MANAGEMENT_CLIENT_SECRET ?? '',
  },
  scope: string = MANAGEMENT_SCOPE.name,
  resource: string = MANAGEMENT_RESOURCE.indicator,
): Promise<string> {
  const response = await house.fetch('/oidc/token', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource,
      scope,
    }),
  })
  const answer = (await response.json()) as { access_token?: string }
  if (!answer.access_token) throw new Error(`No token: ${JSON.stringify(answer)}`)
  return answer.access_token
}
