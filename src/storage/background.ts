import { logFailure } from './event-log.ts'

/** The execution context of a request. Background work may take at most 30 seconds (spec/storage#background-work). */
export type BackgroundContext = { waitUntil(task: Promise<unknown>): void }

/**
 * Runs work that does not affect the response. The work starts once the response has been sent, and failures are only
 * logged. Writes that must not be lost belong in the batch of the change instead.
 */
export function runInBackground(
  context: BackgroundContext,
  { requestId }: { requestId: string },
  task: () => Promise<unknown>,
): void {
  const turn = new Promise<void>((resolve) => setTimeout(resolve, 0))
  context.waitUntil(turn.then(task).catch((error: unknown) => logFailure(error, { requestId })))
}
