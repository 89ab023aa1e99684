import { PRODUCT_NAME } from '../../contract/product.ts'
import { DAY_SECONDS } from '../../contract/time.ts'
import { findDocumentUrlProblem } from '../../domain/applications/document-address.ts'
import { readBoundedBody } from '../bounded-body.ts'
import type { Network } from '../connector-context.ts'
import { withTimeLimit } from '../time-limit.ts'

/**
 * Fetches the documents that clients publish about themselves: key sets and metadata documents
 * (spec/connectors#client-documents).
 */

export type ClientDocument = {
  json: unknown
  /** The time for which the document may be cached, in seconds. */
  freshSeconds: number
}

/**
 * The error for a document that cannot be fetched. The message names the rule that the response broke, but does not
 * quote the response.
 */
export class DocumentFailure extends Error {}

export type DocumentCall = Pick<Network, 'fetch'> & {
  environment: 'production' | 'development'
  maxBytes: number
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
}

const TIMEOUT_MS = 2_500

/** The minimum and maximum time for which a document is cached, regardless of its headers, in seconds. */
const MIN_FRESHNESS = 30
const MAX_FRESHNESS = DAY_SECONDS

/**
 * Fetches a client's document. This is the only function that fetches a URL supplied by a client: it checks the
 * URL, limits the size of the response and does not follow redirects.
 */
export async function fetchClientDocument(address: string, call: DocumentCall): Promise<ClientDocument> {
  const problem = findDocumentUrlProblem(address, call.environment)
  if (problem) throw new DocumentFailure(`the address ${problem}`)
  try {
    return await withTimeLimit(TIMEOUT_MS, fetchDocument(address, call))
  } catch (error) {
    // The original error is dropped, because its message may quote the document.
    throw error instanceof DocumentFailure ? error : new DocumentFailure('there was no response in time')
  }
}

async function fetchDocument(
  address: string,
  { fetch, maxBytes, now }: DocumentCall,
): Promise<ClientDocument> {
  const response = await fetch(address, {
    method: 'GET',
    headers: { accept: 'application/json', 'user-agent': PRODUCT_NAME },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { status, headers, body } = response
  const refusal =
    status !== 200
      ? `the response has the status ${status}`
      : JSON_TYPE.test(headers.get('content-type') ?? '')
        ? null
        : 'the response is not JSON'
  const { content, isWhole } = await readBoundedBody(body, refusal ? 0 : maxBytes)
  if (refusal) throw new DocumentFailure(refusal)
  if (!isWhole) throw new DocumentFailure(`the response is longer than ${maxBytes} bytes`)
  return { json: parseDocument(await content.arrayBuffer()), freshSeconds: freshness(headers, now()) }
}

/**
 * Matches JSON media types, including those that end in `+json`, such as the media type of key sets (RFC 6839 §3.1).
 */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

function parseDocument(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new DocumentFailure('the response is not JSON')
  }
}

/** Returns how long a response remains fresh (RFC 9111 §4.2.1), within our limits. */
function freshness(headers: Headers, now: number): number {
  const control = headers.get('cache-control') ?? ''
  const [, age] = /(?:^|[,\s])max-age\s*=\s*"?(\d+)/i.exec(control) ?? []
  const expires = Date.parse(headers.get('expires') ?? '')
  const statedSeconds = /(?:^|[,\s])no-(?:store|cache)\b/i.test(control)
    ? 0
    : age !== undefined
      ? Number(age) - Number(headers.get('age') ?? 0)
      : (expires - now) / 1000
  return Math.floor(Math.min(Math.max(statedSeconds || 0, MIN_FRESHNESS), MAX_FRESHNESS))
}
