import { PRODUCT_NAME } from '../../contract/product.ts'
import { DAY_SECONDS } from '../../contract/time.ts'
import { documentProblem } from '../../domain/applications/document-address.ts'
import { readBoundedBody } from '../bounded-body.ts'
import type { Network } from '../connector-context.ts'
import { withTimeLimit } from '../time-limit.ts'

/** What clients publish about themselves: key sets and metadata documents (spec/connectors#client-documents). */

export type ClientDocument = {
  json: unknown
  /** For how long it may be kept. */
  freshSeconds: number
}

/** Its message says which rule of the fetch was broken, without a word of what was answered. */
export class DocumentFailure extends Error {}

export type DocumentCall = Pick<Network, 'fetch'> & {
  environment: 'production' | 'development'
  mostBytes: number
  /** Epoch milliseconds. */
  now(): number
}

const TIMEOUT_MS = 2_500

/** However short or long its headers say, in seconds. */
const MIN_FRESHNESS = 30
const MAX_FRESHNESS = DAY_SECONDS

/** The only way in which this server reads an address that a client names: guarded, bounded and without redirects. */
export async function fetchClientDocument(address: string, call: DocumentCall): Promise<ClientDocument> {
  const problem = documentProblem(address, call.environment)
  if (problem) throw new DocumentFailure(`the address ${problem}`)
  try {
    return await withTimeLimit(TIMEOUT_MS, read(address, call))
  } catch (error) {
    // What a network or a parser says may quote the document.
    throw error instanceof DocumentFailure ? error : new DocumentFailure('there was no answer in time')
  }
}

async function read(address: string, { fetch, mostBytes, now }: DocumentCall): Promise<ClientDocument> {
  const response = await fetch(address, {
    method: 'GET',
    headers: { accept: 'application/json', 'user-agent': PRODUCT_NAME },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { status, headers, body } = response
  const refusal =
    status !== 200
      ? `the answer has the status ${status}`
      : JSON_TYPE.test(headers.get('content-type') ?? '')
        ? null
        : 'the answer is not JSON'
  const { content, isWhole } = await readBoundedBody(body, refusal ? 0 : mostBytes)
  if (refusal) throw new DocumentFailure(refusal)
  if (!isWhole) throw new DocumentFailure(`the answer is longer than ${mostBytes} bytes`)
  return { json: parse(await content.arrayBuffer()), freshSeconds: freshness(headers, now()) }
}

/** With a suffix for a format of its own (RFC 6839 §3.1), as key sets have. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new DocumentFailure('the answer is not JSON')
  }
}

/** RFC 9111 §4.2.1, within our bounds. */
function freshness(headers: Headers, now: number): number {
  const control = headers.get('cache-control') ?? ''
  const [, age] = /(?:^|[,\s])max-age\s*=\s*"?(\d+)/i.exec(control) ?? []
  const expires = Date.parse(headers.get('expires') ?? '')
  const said = /(?:^|[,\s])no-(?:store|cache)\b/i.test(control)
    ? 0
    : age !== undefined
      ? Number(age) - Number(headers.get('age') ?? 0)
      : (expires - now) / 1000
  return Math.floor(Math.min(Math.max(said || 0, MIN_FRESHNESS), MAX_FRESHNESS))
}
