import { maskSecrets } from '../domain/masking.ts'
import { reason } from './database.ts'

/** One JSON line per event, for Workers observability. Secrets are masked at any depth (design 4). */
export function logEvent(event: string, fields: Record<string, unknown>): void {
  console.log(JSON.stringify({ event, ...asRecord(maskSecrets(fields)) }))
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
