import type { InteractionEvent } from '../../../src/contract/interactions/identifiers.ts'
import type { TestApp } from '../test-app.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  openSignInPage,
} from './cookie-client.ts'

type Address = { email: string } | { phone: string }

/** A client in the middle of an interaction. It reads codes from the development inbox. */
export type InteractionClient = {
  client: CookieClient
  uid: string
  /** Makes a call under /api/interaction. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  start(event: InteractionEvent, more?: object): Promise<Response>
  sendCode(address: Address): Promise<Response>
  /** Requests a code and submits it. */
  prove(address: Address): Promise<Response>
  submit(): Promise<Response>
}

export async function beginInteraction(
  app: TestApp,
  client = newCookieClient(app),
  parameters: Record<string, string> = {},
): Promise<InteractionClient> {
  const uid = await openSignInPage(
    client,
    await authorizationRequest({ redirect_uri: `${app.origin}/demo-app`, ...parameters }),
  )
  const call: InteractionClient['call'] = (method, path, body, headers = {}) =>
    client.send(method, `/api/interaction${path}`, body, { Interaction: uid, ...headers })
  const sendCode: InteractionClient['sendCode'] = (address) =>
    call('POST', '/verification/verification-code', address)
  return {
    client,
    uid,
    call,
    start: (event, more = {}) => call('PUT', '', { event, ...more }),
    sendCode,
    async prove(address) {
      const sent = await sendCode(address)
      if (!sent.ok) return sent
      return call('PATCH', '/identifiers', { ...address, verificationCode: await codeTo(app, address) })
    },
    submit: () => call('POST', '/submit'),
  }
}

export type InboxMessage = {
  to: string
  channel: string
  type: string
  code: string
  language: string
  body: string
}

/** Returns the messages to an address, newest first. */
export async function receivedMessages(app: TestApp, address: Address): Promise<InboxMessage[]> {
  const to = 'email' in address ? address.email : address.phone
  const response = await app.fetch(`/dev/inbox.json?to=${encodeURIComponent(to)}`)
  return (await response.json()) as InboxMessage[]
}

export async function codeTo(app: TestApp, address: Address): Promise<string> {
  const newest = (await receivedMessages(app, address)).find(({ code }) => code !== '')
  if (!newest) throw new Error(`No code to ${JSON.stringify(address)}`)
  return newest.code
}

/** Returns a well-formed code that differs from this one. */
export const wrongCode = (code: string) => (code === '000000' ? '000001' : '000000')

export const freshEmail = () => `${freshName()}@example.com`
export const freshPhone = () => `491${String(Math.random()).slice(2, 13).padEnd(11, '7')}`

/** Returns the parts of a response that most tests compare. */
export async function outcomeOf(
  response: Response,
): Promise<[status: number, code: string | null, data?: unknown]> {
  if (response.ok) return [response.status, null]
  const { code, data } = (await response.json()) as { code: string; data?: unknown }
  return data === undefined ? [response.status, code] : [response.status, code, data]
}
