import { Webhook } from 'standardwebhooks'
import { PRODUCT_NAME } from '../../contract/product.ts'
import { readBoundedBody } from '../bounded-body.ts'
import type { ConnectorContext } from '../connector-context.ts'
import { parseJson } from '../provider-answer.ts'

/** Sends signed JSON messages to hooks, and logout tokens to relying parties. Does not follow redirects. */

export type HookMessage = {
  url: string
  headers?: Record<string, string> | undefined
  /** The signing secret, which begins with `whsec_`. */
  secret: string
  /** The message id, by which the receiver can recognize duplicates. */
  id: string
  body: string
}

export type HookResponse = { statusCode: number; body: unknown }

const TIMEOUT_MS = 10_000 // spec/connectors#provider-calls

/** The part of a response that is logged (spec/connectors#provider-calls). */
const RESPONSE_MAX_BYTES = 8 * 1024

/** Sends a message to a hook (spec/connectors#hook-signature). Throws if the hook does not respond. */
export async function postHook(
  { url, headers = {}, secret, id, body }: HookMessage,
  { fetch, now }: Pick<ConnectorContext, 'fetch' | 'now'>,
): Promise<HookResponse> {
  const sentAt = new Date(now())
  const hookHeaders = new Headers({ 'user-agent': PRODUCT_NAME })
  for (const [name, value] of Object.entries(headers)) if (!isReserved(name)) hookHeaders.set(name, value)
  hookHeaders.set('content-type', 'application/json')
  hookHeaders.set('webhook-id', id)
  hookHeaders.set('webhook-timestamp', String(Math.floor(sentAt.getTime() / 1000)))
  hookHeaders.set('webhook-signature', new Webhook(secret).sign(id, sentAt, body))
  return post(fetch, url, { headers: hookHeaders, body })
}

/** Sends a logout token to a relying party (OIDC Back-Channel Logout §2.5). */
export const postLogoutToken = (url: string, token: string, { fetch }: Pick<ConnectorContext, 'fetch'>) =>
  post(fetch, url, {
    headers: { 'user-agent': PRODUCT_NAME },
    body: new URLSearchParams({ logout_token: token }),
  })

/**
 * Generates a signing secret: `whsec_` followed by 32 random bytes in Base64. Standard Webhooks allows 24 to 64
 * bytes.
 */
export const generateHookSecret = () => `whsec_${crypto.getRandomValues(new Uint8Array(32)).toBase64()}`

/** The headers that a hook's custom headers cannot override (spec/connectors#hook-headers). */
const reserved = new Set([
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

const isReserved = (name: string) => reserved.has(name.toLowerCase()) || /^webhook-/i.test(name)

async function post(
  send: ConnectorContext['fetch'],
  url: string,
  init: Pick<RequestInit, 'headers' | 'body'>,
): Promise<HookResponse> {
  const response = await send(url, {
    ...init,
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { content } = await readBoundedBody(response.body, RESPONSE_MAX_BYTES)
  const text = await content.text()
  return { statusCode: response.status, body: parseJson(text) ?? text }
}
