import { logFailure } from './event-log.ts'

/** The context of a request. Background work may take 30 seconds at most (spec/storage#background-work). */
export type BackgroundContext = { waitUntil(task: Promise<unknown>): void }

/**
 * Runs work that does not affect the response: it starts once the response is on its way, and a failure is only logged.
 * Whatever must not be lost belongs in the batch of the change.
 */
export function runInBackground(
  context: BackgroundContext,
  { requestId }: { requestId: string },
  task: () => Promise<unknown>,
): void {
  const turn = new Promise<void>((resolve) => setTimeout(resolve, 0))
  context.waitUntil(turn.then(task).catch((error: unknown) => logFailure(error, { requestId })))
}
