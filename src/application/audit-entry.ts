import type { IdentifiedLog } from '../storage/logs.ts'

/**
 * What a call is recorded by. It is begun before the call is checked: a refused call leaves it with the refusal. A call
 * that succeeds gives it to `commitChange`, and it is not written again.
 */
export type AuditEntry = {
  /** What is known only later. */
  add(more: Record<string, unknown>): void
  /** For the batch of the change. */
  success(more?: Record<string, unknown>): IdentifiedLog
}
