import { logFailure } from './event-log.ts'

/** The execution context of a request. Background work may take 30 seconds at most (spec/storage#background-work). */
export type BackgroundContext = { waitUntil(task: Promise<unknown>): void }

/**
 * Runs work that does not affect the response. It starts once the response has been sent, and failures are only logged.
 * Anything that must not be lost belongs in the batch of the change.
 */
export function runInBackground(
  context: BackgroundContext,
  { requestId }: { requestId: string },
  task: () => Promise<unknown>,
): void {
  const turn = new Promise<void>((resolve) => setTimeout(resolve, 0))
  context.waitUntil(turn.then(task).catch((error: unknown) => logFailure(error, { requestId })))
}
