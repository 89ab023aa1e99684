import { Webhook } from 'standardwebhooks'
import { PRODUCT_NAME } from '../contract/product.ts'

/** How others are told: a hook by a signed JSON message, an application by a logout token. Neither is ever redirected. */

export type Message = {
  url: string
  headers?: Record<string, string> | undefined
  /** `whsec_…` */
  secret: string
  /** By which the receiver drops repeats. */
  id: string
  body: string
}

export type Reply = { statusCode: number; body: unknown }

type ConnectorContext = { fetch: typeof fetch; now(): number }

const TIMEOUT_MS = 10_000 // contract 2.9

/** As much of an answer as is worth keeping in a log. Ours. */
const MOST_BODY_BYTES = 8 * 1024

/** Signed as the Standard Webhooks specification says (decision 18). Throws when nothing answered. */
export async function postMessage(
  { url, headers = {}, secret, id, body }: Message,
  { fetch, now }: ConnectorContext,
): Promise<Reply> {
  const sentAt = new Date(now())
  const sent = new Headers({ 'user-agent': PRODUCT_NAME })
  for (const [name, value] of Object.entries(headers)) if (!isOurs(name)) sent.set(name, value)
  sent.set('content-type', 'application/json')
  sent.set('webhook-id', id)
  sent.set('webhook-timestamp', String(Math.floor(sentAt.getTime() / 1000)))
  sent.set('webhook-signature', new Webhook(secret).sign(id, sentAt, body))
  return post(fetch, url, { headers: sent, body })
}

/** OpenID Connect Back-Channel Logout 1.0, 2.5. */
export const postLogoutToken = (url: string, token: string, { fetch }: Pick<ConnectorContext, 'fetch'>) =>
  post(fetch, url, {
    headers: { 'user-agent': PRODUCT_NAME },
    body: new URLSearchParams({ logout_token: token }),
  })

/** A new secret for a receiver: `whsec_` and 32 bytes (Standard Webhooks: 24 to 64). */
export const newSecret = () =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`

/** What a hook's own headers must not say: whom it is for, how long it is, who signed it (decision 18). */
const ours = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'content-encoding',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const isOurs = (name: string) => ours.has(name.toLowerCase()) || /^webhook-/i.test(name)

async function post(
  send: typeof fetch,
  url: string,
  init: Pick<RequestInit, 'headers' | 'body'>,
): Promise<Reply> {
  const response = await send(url, {
    ...init,
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return { statusCode: response.status, body: parsed(await beginning(response)) }
}

async function beginning({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let subApp = MOST_BODY_BYTES
  while (subApp > 0) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value.subarray(0, subApp), { stream: true })
    subApp -= value.byteLength
  }
  await reader.cancel()
  return text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
