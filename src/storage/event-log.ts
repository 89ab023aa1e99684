import { maskSecrets } from '../domain/masking.ts'
import { innermostMessage } from './database.ts'

/** One JSON line per event, for Workers observability. Secrets are masked at any depth (spec/storage#log-lines). */
export function logEvent(event: string, fields: Record<string, unknown>): void {
  console.log(JSON.stringify({ event, ...asRecord(maskSecrets(fields)) }))
}

/** Names of OpenTelemetry's semantic conventions, and ours where it has none (ADR-0050). */
export type RequestLine = {
  'http.request.method': string
  /** The pattern of the path. The path itself may name a user or an interaction, and the query may hold a code. */
  'http.route': string
  'http.response.status_code': number
  /** Seconds by the platform's clock, which stands still during CPU work. */
  'http.server.request.duration': number
  /** The code of the refusal, else the status. */
  'error.type'?: string
  'server.address': string
  'cloudflare.ray_id'?: string
  'vestibule.tenant.id': string
  /** Keys of the audit rows that the call wrote. */
  'vestibule.audit'?: readonly string[]
}

/** Nothing in it comes from a body, a query or a header that the client writes. */
export function logRequest(requestId: string, line: RequestLine): void {
  console.log(JSON.stringify({ event: 'request', requestId, ...line }))
}

/** An unexpected failure, with its stack; the answer to the client holds neither. */
export function logFailure(error: unknown, fields: Record<string, unknown>): void {
  console.error(
    JSON.stringify({
      event: 'failure',
      ...asRecord(maskSecrets(fields)),
      error: {
        message: innermostMessage(error),
        stack: error instanceof Error ? framesOf(error) : undefined,
      },
    }),
  )
}

/** Without the message at the top: a database error quotes its parameters there. */
const framesOf = ({ stack = '' }: Error) => stack.split('\n').filter((line) => /^\s+at /.test(line))

const asRecord = (value: unknown) => (typeof value === 'object' && value !== null ? value : {})
