import { MANAGEMENT_CLIENT_ID, MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../../../src/contract/product.ts'
import type { TestApp } from '../test-app.ts'

/** A client of the management API, with a token from the token endpoint. */
export type Operator = {
  token: string
  get(path: string, headers?: Record<string, string>): Promise<Response>
  send(method: string, path: string, body?: unknown): Promise<Response>
}

export async function newOperator(app: TestApp): Promise<Operator> {
  return asOperator(app, await machineToken(app))
}

/** Returns a client of the management API with an existing token. */
export function asOperator(app: TestApp, token: string): Operator {
  const authorization = `Bearer ${token}`
  return {
    token,
    get: (path, headers = {}) => app.fetch(`/api${path}`, { headers: { authorization, ...headers } }),
    send: (method, path, body) =>
      app.fetch(`/api${path}`, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

type Client = { id: string; secret: string }

/**
 * Creates a machine-to-machine application with a role. Returns it with its current secret, because adding a
 * role can replace the secret (spec/management#replaced-credentials).
 */
export async function newMachine(operator: Operator, roleId?: string): Promise<Client> {
  const machine = { name: 'Machine', type: 'MachineToMachine' }
  const created = (await (await operator.send('POST', '/applications', machine)).json()) as Client
  if (roleId === undefined) return created
  await operator.send('POST', `/roles/${roleId}/applications`, { applicationIds: [created.id] })
  return (await (await operator.get(`/applications/${created.id}`)).json()) as Client
}

export async function machineToken(
  app: TestApp,
  { id, secret }: Client = {
    id: MANAGEMENT_CLIENT_ID,
    secret: app.env.MANAGEMENT_CLIENT_SECRET ?? '',
  },
  scope: string = MANAGEMENT_SCOPE.name,
  resource: string = MANAGEMENT_RESOURCE.indicator,
): Promise<string> {
  const response = await app.fetch('/oidc/token', {
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
