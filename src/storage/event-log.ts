import { maskSecrets } from '../domain/masking.ts'
import { findInnermostMessage } from './database.ts'

/**
 * Writes one JSON line per event, for Workers observability. Secrets are masked at any depth (spec/storage#log-lines).
 */
export function logEvent(event: string, fields: Record<string, unknown>): void {
  console.log(JSON.stringify({ event, ...asRecord(maskSecrets(fields)) }))
}

/**
 * The fields of a request's log line. Their names follow the OpenTelemetry semantic conventions, which our own names
 * extend (ADR-0050).
 */
export type RequestLine = {
  'http.request.method': string
  /**
   * The route pattern of the request's path. The path itself may contain a user or interaction id, and the query may
   * contain a code.
   */
  'http.route': string
  'http.response.status_code': number
  /** The duration in seconds. The platform's clock, which measures it, stands still during CPU work. */
  'http.server.request.duration': number
  /** The error code, or else the HTTP status. */
  'error.type'?: string
  'server.address': string
  'cloudflare.ray_id'?: string
  'vestibule.tenant.id': string
  /** The keys of the audit rows that the call wrote. */
  'vestibule.audit'?: readonly string[]
}

/** Logs a request without its body, its query, or headers that the client controls. */
export function logRequest(requestId: string, line: RequestLine): void {
  console.log(JSON.stringify({ event: 'request', requestId, ...line }))
}

/** Logs an unexpected failure with its message and stack, neither of which is sent to the client. */
export function logFailure(error: unknown, fields: Record<string, unknown>): void {
  console.error(
    JSON.stringify({
      event: 'failure',
      ...asRecord(maskSecrets(fields)),
      error: {
        message: findInnermostMessage(error),
        stack: error instanceof Error ? framesOf(error) : undefined,
      },
    }),
  )
}

/**
 * Returns the frames of a stack without the message before them. In database errors, the message includes the
 * parameters.
 */
const framesOf = ({ stack = '' }: Error) => stack.split('\n').filter((line) => /^\s+at /.test(line))

const asRecord = (value: unknown) => (typeof value === 'object' && value !== null ? value : {})
