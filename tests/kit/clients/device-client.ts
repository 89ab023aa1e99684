import { expect } from 'vitest'
import { DEVICE_GRANT } from '../../../src/oidc/applications/clients.ts'
import { type CookieClient, ORIGIN } from './cookie-client.ts'
import type { Operator } from './management-client.ts'

/** The calls of a device without a browser, and those of its user's browser (RFC 8628). */

/** The server to call: the Worker in a test, or a running server. */
type Site = { fetch(path: string, init?: RequestInit): Promise<Response> }

export const BACK = 'https://tv.example/back'

/** Creates an application that is allowed to use the device flow. */
export async function newDeviceApplication(operator: Operator, more: object = {}): Promise<string> {
  const response = await operator.send('POST', '/applications', {
    name: 'Television',
    type: 'Native',
    customClientMetadata: { deviceFlow: true, ...more },
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { id: string }).id
}

export type Started = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

export const askForCodes = (app: Site, client: string, more: Record<string, string> = {}) =>
  app.fetch('/oidc/device/auth', {
    method: 'POST',
    body: new URLSearchParams({ client_id: client, scope: 'openid profile', ...more }),
  })

export async function startDevice(
  app: Site,
  client: string,
  more?: Record<string, string>,
): Promise<Started> {
  const response = await askForCodes(app, client, more)
  expect(response.status).toBe(200)
  return response.json()
}

type Polled = { error?: string; access_token?: string; id_token?: string; refresh_token?: string }

export async function poll(app: Site, client: string, code: string): Promise<Polled & { status: number }> {
  const body = new URLSearchParams({ grant_type: DEVICE_GRANT, client_id: client, device_code: code })
  const response = await app.fetch('/oidc/token', { method: 'POST', body })
  return { ...((await response.json()) as Polled), status: response.status }
}

/** Opens the first page of the device flow as a browser does. */
export async function openCodeForm(
  client: CookieClient,
  query = '',
): Promise<{ xsrf: string; html: string }> {
  const response = await client.get(`/oidc/device${query}`)
  expect(response.status).toBe(200)
  const html = await response.text()
  return { xsrf: xsrfIn(html), html }
}

export const xsrfIn = (html: string): string => /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

/** Enters the code on the first page, which redirects to the sign-in or to the question about the device. */
export async function enterCode(client: CookieClient, code: string, answer = CONTINUE): Promise<Response> {
  const { xsrf } = await openCodeForm(client)
  return client.post('/oidc/device', { xsrf, user_code: code, ...answer })
}

/** Enters the code as a signed-in user and decides on the consent page. Returns the last page. */
export async function answerDevice(
  client: CookieClient,
  code: string,
  decision: 'allow' | 'deny',
): Promise<Response> {
  return decideOnDevice(client, await enterCode(client, code), decision)
}

/** Decides on the consent page to which a response redirects. Returns the last page. */
export async function decideOnDevice(
  client: CookieClient,
  redirect: Response,
  decision: 'allow' | 'deny',
): Promise<Response> {
  const page = new URL(redirect.headers.get('location') ?? '', ORIGIN)
  expect(page.pathname).toBe('/sign-in/consent')
  const answer = await client.send(
    'POST',
    '/api/interaction/consent',
    { decision },
    { Interaction: page.searchParams.get('interaction') ?? '' },
  )
  const { redirectTo } = (await answer.json()) as { redirectTo: string }
  return client.get(redirectTo)
}

/** The value of the button on the first page. */
export const CONTINUE = { confirm: 'yes' }
