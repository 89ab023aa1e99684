import { maskSecrets } from '../domain/masking.ts'
import { reason } from './database.ts'

/** One JSON line per event, for Workers observability. Secrets are masked at any depth (design 4). */
export function logEvent(event: string, fields: Record<string, unknown>): void {
  console.log(JSON.stringify({ event, ...asRecord(maskSecrets(fields)) }))
}

/** The names are those of OpenTelemetry's semantic conventions, and ours where it has none (decision record 0050). */
export type RequestLine = {
  'http.request.method': string
  /** The pattern. The path may name a person or an interaction, and the query may hold a code. */
  'http.route': string
  'http.response.status_code': number
  /** Seconds, as the platform's clock shows them: it stands still while we compute. */
  'http.server.request.duration': number
  /** The code of the refusal, else the status. */
  'error.type'?: string
  'server.address': string
  'cloudflare.ray_id'?: string
  'vestibule.tenant.id': string
  /** What the audit log says happened: keys of its rows. */
  'vestibule.audit'?: readonly string[]
}

/** Nothing in it comes from a body, a query or a header that visitors write. */
export function logRequest(requestId: string, line: RequestLine): void {
  console.log(JSON.stringify({ event: 'request', requestId, ...line }))
}

/** Something failed that should not: with its stack, for us, and never for the visitor. */
export function logFailure(error: unknown, fields: Record<string, unknown>): void {
  console.error(
    JSON.stringify({
      event: 'failure',
      ...asRecord(maskSecrets(fields)),
      error: { message: reason(error), stack: error instanceof Error ? framesOf(error) : undefined },
    }),
  )
}

/** Without the message on top of it: a database error quotes its parameters there. */
const framesOf = ({ stack = '' }: Error) => stack.split('\n').filter((line) => /^\s+at /.test(line))

const asRecord = (value: unknown) => (typeof value === 'object' && value !== null ? value : {})
