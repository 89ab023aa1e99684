import { expect } from 'vitest'
import type { TestApp } from '../test-app.ts'
import { authorizationRequest, type CookieClient, ORIGIN, resumeAuthorization } from './cookie-client.ts'
import type { Operator } from './management-client.ts'

/** An application that uses APIs for its users, and the requests that it sends to the token endpoint. */

export const BACK = 'https://app.example/back'

export type Application = { id: string; secret: string }

export async function newApplication(operator: Operator, more: object = {}): Promise<Application> {
  const body = { name: 'Shop', type: 'Traditional', oidcClientMetadata: { redirectUris: [BACK] }, ...more }
  return created<Application>(operator, '/applications', body)
}

/** Creates an API and a role that has all its scopes. */
export async function newApi(operator: Operator, indicator: string, scopes: readonly string[]) {
  const { id } = await created(operator, '/resources', { name: 'API', indicator })
  const scopeIds: string[] = []
  for (const name of scopes) {
    const scope = await created(operator, `/resources/${id}/scopes`, { name, description: name })
    scopeIds.push(scope.id)
  }
  const role = await created(operator, '/roles', { name: `role ${id}`, description: 'Has them', scopeIds })
  return { id, indicator, roleId: role.id }
}

export async function giveRoles(operator: Operator, username: string, roleIds: readonly string[]) {
  const matches = await operator.get(`/users?search.username=${username}`)
  const [user] = (await matches.json()) as { id: string }[]
  const response = await operator.send('POST', `/users/${user?.id}/roles`, { roleIds })
  expect(response.status).toBeLessThan(300)
  return user?.id ?? ''
}

async function created<T extends { id: string }>(operator: Operator, path: string, body: object): Promise<T> {
  const response = await operator.send('POST', path, body)
  const answer: T = await response.json()
  expect([response.status, answer]).toEqual([expect.toSatisfy((status) => status < 300), answer])
  return answer
}

export type TokenAnswer = {
  status: number
  error?: string
  error_description?: string
  access_token: string
  refresh_token?: string
  id_token?: string
  issued_token_type?: string
  token_type?: string
  expires_in?: number
  scope?: string
}

export type Form = Record<string, string | readonly string[]>

const asForm = (form: Form) =>
  new URLSearchParams(
    Object.entries(form).flatMap(([name, value]) => [value].flat().map((each) => [name, each])),
  )

export async function askForToken(
  app: TestApp,
  { id, secret }: Application,
  form: Form,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const authorization = `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`
  const response = await app.fetch('/oidc/token', {
    method: 'POST',
    headers: { authorization, ...headers },
    body: asForm(form),
  })
  return { ...((await response.json()) as TokenAnswer), status: response.status }
}

export const refreshTokens = (app: TestApp, application: Application, tokens: TokenAnswer, more: Form = {}) =>
  askForToken(app, application, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token ?? '',
    ...more,
  })

export async function readUserinfo(
  app: TestApp,
  { access_token }: TokenAnswer,
): Promise<Record<string, unknown>> {
  const answer = await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${access_token}` } })
  expect(answer.status).toBe(200)
  return answer.json()
}

/**
 * Requests an authorization for a signed-in user. Returns the redirect URL, the error, if any, and the
 * parameters for redeeming the code.
 */
export async function authorize(client: CookieClient, { id }: Application, form: Form = {}) {
  const request = await authorizationRequest({ client_id: id, redirect_uri: BACK, scope: 'openid' })
  const address = new URL(request.url, ORIGIN)
  for (const [name, value] of Object.entries(form)) {
    address.searchParams.delete(name)
    for (const each of [value].flat()) address.searchParams.append(name, each)
  }
  const response = await client.get(address.pathname + address.search)
  let back = new URL(response.headers.get('location') ?? '', ORIGIN)
  if (back.pathname === '/sign-in/consent') {
    const headers = { Interaction: back.searchParams.get('interaction') ?? '' }
    const agreed = await client.send('POST', '/api/interaction/consent', { decision: 'allow' }, headers)
    back = await resumeAuthorization(client, agreed)
  }
  return {
    back,
    error: back.searchParams.get('error'),
    redemption: {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      code_verifier: request.verifier,
      redirect_uri: BACK,
    },
  }
}
